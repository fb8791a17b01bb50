/**
 * Maximum length of a string in a list, in UTF-16 code units. Responses with a single resource contain the full string.
 */
export const LIST_TEXT_MAX = 4096;
/** Maximum size of a list response. */
export const LIST_MAX_BYTES = 16 * 2 ** 20;
/** Upper bound for the size of a document's links and meta. */
const ENVELOPE_BYTES = 2 ** 16;
/** Estimated size of a resource without the strings in its attributes. */
const RESOURCE_BYTES = 2048;
/** A control character is escaped as `\u0001` in JSON. */
const MAX_BYTES_PER_CHARACTER = 6;

/** SQL for a string in a list. Returns one character more than the maximum, so that longer strings are detected. */
export function briefText(sql: string): string {
  return `left(${sql}, ${LIST_TEXT_MAX + 1})`;
}

/**
 * SQL for an array of strings in a list. The limit for a single string applies to the total length of the strings plus
 * one character per element.
 */
export function briefTexts(sql: string): string {
  return `array(select left(text, ${LIST_TEXT_MAX + 1}) from (
      select text, place, sum(length(text) + 1) over (order by place) - length(text) - 1 as before
      from unnest((${sql})[1:${LIST_TEXT_MAX + 1}]) with ordinality as texts (text, place)) as texts
    where before <= ${LIST_TEXT_MAX} order by place)`;
}

export interface TruncatedParts {
  readonly data: readonly object[];
  readonly included?: readonly object[];
  /** The length that strings were truncated to, if truncating them to `LIST_TEXT_MAX` was not sufficient. */
  readonly textMax?: number;
}

/**
 * Truncates the strings in a list's resources to `LIST_TEXT_MAX`, or further if the response would exceed
 * `LIST_MAX_BYTES`. Never omits a resource. `meta.truncated` of a resource lists its truncated attributes.
 */
export function truncateTexts(data: readonly object[], included?: readonly object[]): TruncatedParts {
  for (let max = LIST_TEXT_MAX; ; max = Math.floor(max / 2)) {
    const length = { characters: 0 };
    const truncate = (resource: object) => truncateResource(resource, max, length);
    const truncated = {
      data: data.map(truncate),
      ...(included !== undefined && { included: included.map(truncate) }),
    };
    const resources = data.length + (included?.length ?? 0);
    const fits =
      length.characters * MAX_BYTES_PER_CHARACTER + resources * RESOURCE_BYTES <=
        LIST_MAX_BYTES - ENVELOPE_BYTES ||
      Buffer.byteLength(JSON.stringify(truncated)) <= LIST_MAX_BYTES - ENVELOPE_BYTES;
    if (fits || max === 0) return max === LIST_TEXT_MAX ? truncated : { ...truncated, textMax: max };
  }
}

interface Length {
  characters: number;
}

function truncateResource(resource: object, max: number, length: Length): object {
  if (!('attributes' in resource)) return resource;
  const truncated: string[] = [];
  const attributes = truncateValue(resource.attributes, max, [], truncated, length);
  if (truncated.length === 0) return resource;
  const meta = 'meta' in resource && typeof resource.meta === 'object' ? resource.meta : {};
  return { ...resource, attributes, meta: { ...meta, truncated } };
}

function truncateValue(
  value: unknown,
  max: number,
  path: readonly string[],
  truncated: string[],
  length: Length,
): unknown {
  if (typeof value === 'string') {
    const text = truncateText(value, max);
    length.characters += text.length;
    if (text.length < value.length) truncated.push(path.join('.'));
    return text;
  }
  if (Array.isArray(value)) {
    const texts = truncateArray(value, max);
    for (const text of texts) length.characters += String(text).length + 1;
    if (texts.length < value.length || texts.some((text, at) => text !== value[at]))
      truncated.push(path.join('.'));
    return texts;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      truncateValue(member, max, [...path, name], truncated, length),
    ]),
  );
}

/** Truncates an array of strings so that the total length does not exceed the limit for a single string. */
function truncateArray(values: readonly unknown[], max: number): unknown[] {
  const kept: unknown[] = [];
  let remaining = max;
  for (const value of values) {
    if (remaining <= 0) break;
    const text = typeof value === 'string' ? truncateText(value, remaining) : value;
    remaining -= String(text).length + 1;
    kept.push(text);
  }
  return kept;
}

/** Truncates a string without splitting a surrogate pair. */
function truncateText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
