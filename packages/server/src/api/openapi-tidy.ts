type Members = Record<string, unknown>;

/** Formats that say all that the pattern says which stands beside them. */
const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'uri']);

/**
 * Takes out of a description, in place, what only its maker needs: the patterns of formats, the bounds of numbers in
 * JavaScript, a choice of one, what is said twice; and names the members of a record whose keys are known.
 */
export function tidySchemas(part: unknown): void {
  if (Array.isArray(part)) part.forEach(tidySchemas);
  if (!isObject(part)) return;
  Object.values(part).forEach(tidySchemas);
  if (FORMATS.has(part.format) && typeof part.pattern === 'string') delete part.pattern;
  // Which addresses have the format is judged differently everywhere; the pattern is exact.
  if (part.format === 'email' && typeof part.pattern === 'string') delete part.format;
  if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
  if (part.minimum === Number.MIN_SAFE_INTEGER) delete part.minimum;
  tidyChoice(part);
  tidyRecord(part);
  tidyParameter(part);
}

function tidyChoice(schema: Members): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 1) return;
  const [only] = schema.anyOf;
  delete schema.anyOf;
  Object.assign(schema, only);
}

/** `required` says that the keys are not only possible, but there. */
function tidyRecord(schema: Members): void {
  const { propertyNames, additionalProperties, required } = schema;
  if (!isObject(propertyNames) || !Array.isArray(propertyNames.enum) || required === undefined) return;
  schema.properties = Object.fromEntries(propertyNames.enum.map((key) => [key, additionalProperties]));
  schema.additionalProperties = false;
  delete schema.propertyNames;
}

/** A parameter says what its schema says. */
function tidyParameter({ in: place, description, schema }: Members): void {
  if (typeof place === 'string' && isObject(schema) && schema.description === description)
    delete schema.description;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
