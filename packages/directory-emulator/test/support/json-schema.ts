/** A parsed JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SCHEMAS = '#/components/schemas/';

/**
 * Converts the schemas of an OpenAPI 3.0 description to JSON Schema, for validators without support for `nullable` and
 * `discriminator`. A schema with a discriminator is converted twice: under its own name, it requires the schema that the
 * discriminator selects; with the suffix `.own`, it is the schema that others inherit with `allOf`.
 */
export function toJsonSchemas(schemas: JsonObject): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!isObject(schema)) continue;
    converted[name] = toJsonSchema(schema, schemas);
    const { discriminator: _, ...own } = schema;
    converted[`${name}.own`] = toJsonSchema(own, schemas);
  }
  return converted;
}

/** Converts one schema. See {@link toJsonSchemas}. */
export function toJsonSchema(schema: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((part) => toJsonSchema(part, schemas));
  if (!isObject(schema)) return schema;
  const { discriminator, nullable, ...keywords } = schema;
  const plain = isObject(discriminator)
    ? selectByDiscriminator(discriminator)
    : convertKeywords(keywords, schemas);
  return nullable === true ? { anyOf: [{ type: 'null' }, plain] } : plain;
}

/** Converts the nested schemas of all keywords. The keys of `properties` are property names, not keywords. */
function convertKeywords(schema: JsonObject, schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isObject(value)) {
        const properties = Object.entries(value).map(([name, part]) => [name, toJsonSchema(part, schemas)]);
        return [keyword, Object.fromEntries(properties)];
      }
      if (keyword === 'allOf' && Array.isArray(value))
        return [keyword, value.map((part) => toJsonSchema(inherited(part, schemas), schemas))];
      if (['items', 'additionalProperties', 'oneOf', 'anyOf', 'not'].includes(keyword))
        return [keyword, toJsonSchema(value, schemas)];
      // ECMAScript supports inline flags only for a group.
      if (keyword === 'pattern' && typeof value === 'string')
        return [keyword, value.replace(/^\(\?i\)(.*)$/s, '(?i:$1)')];
      return [keyword, value];
    }),
  );
}

function inherited(part: unknown, schemas: JsonObject): unknown {
  if (!isObject(part) || typeof part.$ref !== 'string') return part;
  const target = schemas[part.$ref.slice(SCHEMAS.length)];
  return isObject(target) && 'discriminator' in target ? { ...part, $ref: `${part.$ref}.own` } : part;
}

/** Selects a schema by the value of a property, because `oneOf` would report the errors of all alternatives. */
function selectByDiscriminator({ propertyName, mapping }: JsonObject): JsonObject {
  if (typeof propertyName !== 'string' || !isObject(mapping))
    throw new TypeError('The discriminator has no propertyName or no mapping.');
  return {
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
    allOf: Object.entries(mapping).map(([value, $ref]) => ({
      if: { required: [propertyName], properties: { [propertyName]: { const: value } } },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
      then: { $ref },
    })),
  };
}
