type Members = Record<string, unknown>;

/** Formats that make the accompanying pattern redundant. */
const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'uri']);

/**
 * Simplifies the generated schemas of a description in place: removes redundant patterns, JavaScript integer bounds,
 * single-member unions and repeated descriptions. Also lists the properties of records with known keys.
 */
export function tidySchemas(part: unknown): void {
  if (Array.isArray(part)) part.forEach(tidySchemas);
  if (!isObject(part)) return;
  Object.values(part).forEach(tidySchemas);
  if (FORMATS.has(part.format) && typeof part.pattern === 'string') delete part.pattern;
  // Keep the pattern instead of the format `email`, because validators interpret the format differently.
  if (part.format === 'email' && typeof part.pattern === 'string') delete part.format;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  tidyUnion(part);
  tidyRecord(part);
  tidyParameter(part);
}

function tidyUnion(schema: Members): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 1) return;
  const [only] = schema.anyOf;
  delete schema.anyOf;
  Object.assign(schema, only);
}

/** `required` indicates that every key is present. */
function tidyRecord(schema: Members): void {
  const { propertyNames, additionalProperties, required } = schema;
  if (!isObject(propertyNames) || !Array.isArray(propertyNames.enum) || required === undefined) return;
  schema.properties = Object.fromEntries(propertyNames.enum.map((key) => [key, additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/** Removes the description of a schema if it repeats the description of its parameter. */
function tidyParameter({ in: location, description, schema }: Members): void {
  if (typeof location === 'string' && isObject(schema) && schema.description === description)
    delete schema.description;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
