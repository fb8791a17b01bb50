/** A JSON object, read from a file. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SCHEMAS = '#/components/schemas/';

/**
 * Rewrites the schemas of an OpenAPI 3.0 description as JSON Schema, for a validator that knows neither `nullable` nor
 * `discriminator`. A schema with a discriminator exists twice: under its name it requires the schema that the
 * discriminator selects; with the suffix `.own` it is what the selected schema inherits by `allOf`.
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

/** Rewrites one schema; see {@link toJsonSchemas}. */
export function toJsonSchema(schema: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((part) => toJsonSchema(part, schemas));
  if (!isObject(schema)) return schema;
  const { discriminator, nullable, ...rest } = schema;
  const plain = isObject(discriminator) ? selected(discriminator) : converted(rest, schemas);
  return nullable === true ? { anyOf: [{ type: 'null' }, plain] } : plain;
}

/** Keywords whose values are schemas or contain schemas; `properties` has names that look like keywords. */
function converted(schema: JsonObject, schemas: JsonObject): JsonObject {
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
      // ECMAScript has the flag for a group only.
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

/** The schema that the value of a property selects: a validator that tries all reports errors of the wrong ones. */
function selected({ propertyName, mapping }: JsonObject): JsonObject {
  if (typeof propertyName !== 'string' || !isObject(mapping))
    throw new TypeError('A discriminator has no property or no mapping.');
  return {
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: Object.keys(mapping) } },
    allOf: Object.entries(mapping).map(([value, $ref]) => ({
      if: { required: [propertyName], properties: { [propertyName]: { const: value } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { $ref },
    })),
  };
}
