/** Longest text in a list, in characters (UTF-16 units); the resource by itself has all of it. */
export const LIST_TEXT_MAX = 4096;
/** Longest response of a list. */
export const LIST_MAX_BYTES = 16 * 2 ** 20;
/** What a document has beside its resources: links and meta. */
const FRAME_BYTES = 2 ** 16;
/** What a resource has beside the texts of its attributes, as a rule. */
const RESOURCE_BYTES = 2048;
/** A control character in JSON: `\u0001`. */
const MAX_BYTES_PER_CHARACTER = 6;

/** SQL for the text of a list: no more is read than tells whether it is too long. */
export function briefText(sql: string): string {
  return `left(${sql}, ${LIST_TEXT_MAX + 1})`;
}

/** The same for an array of texts, which together have the length of one. An empty one counts, too. */
export function briefTexts(sql: string): string {
  return `array(select left(text, ${LIST_TEXT_MAX + 1}) from (
      select text, place, sum(length(text) + 1) over (order by place) - length(text) - 1 as before
      from unnest((${sql})[1:${LIST_TEXT_MAX + 1}]) with ordinality as texts (text, place)) as texts
    where before <= ${LIST_TEXT_MAX} order by place)`;
}

export interface TruncatedParts {
  readonly data: readonly object[];
  readonly included?: readonly object[];
  /** Where the response would be too large with texts of `LIST_TEXT_MAX`: what they were shortened to. */
  readonly textMax?: number;
}

/**
 * Shortens the texts of a list's resources to `LIST_TEXT_MAX`, and further where the response would be larger than
 * `LIST_MAX_BYTES`: no resource is left out. `meta.truncated` of a resource names its attributes that were shortened.
 */
export function truncateTexts(data: readonly object[], included?: readonly object[]): TruncatedParts {
  for (let max = LIST_TEXT_MAX; ; max = Math.floor(max / 2)) {
    const length = { characters: 0 };
    const shorten = (resource: object) => shortenResource(resource, max, length);
    const bounded = {
      data: data.map(shorten),
      ...(included !== undefined && { included: included.map(shorten) }),
    };
    const resources = data.length + (included?.length ?? 0);
    const fits =
      length.characters * MAX_BYTES_PER_CHARACTER + resources * RESOURCE_BYTES <=
        LIST_MAX_BYTES - FRAME_BYTES ||
      Buffer.byteLength(JSON.stringify(bounded)) <= LIST_MAX_BYTES - FRAME_BYTES;
    if (fits || max === 0) return max === LIST_TEXT_MAX ? bounded : { ...bounded, textMax: max };
  }
}

interface Length {
  characters: number;
}

function shortenResource(resource: object, max: number, length: Length): object {
  if (!('attributes' in resource)) return resource;
  const truncated: string[] = [];
  const attributes = shortenValue(resource.attributes, max, [], truncated, length);
  if (truncated.length === 0) return resource;
  const meta = 'meta' in resource && typeof resource.meta === 'object' ? resource.meta : {};
  return { ...resource, attributes, meta: { ...meta, truncated } };
}

function shortenValue(
  value: unknown,
  max: number,
  path: readonly string[],
  truncated: string[],
  length: Length,
): unknown {
  if (typeof value === 'string') {
    const text = shortenText(value, max);
    length.characters += text.length;
    if (text.length < value.length) truncated.push(path.join('.'));
    return text;
  }
  if (Array.isArray(value)) {
    const texts = shortenTexts(value, max);
    for (const text of texts) length.characters += String(text).length + 1;
    if (texts.length < value.length || texts.some((text, at) => text !== value[at]))
      truncated.push(path.join('.'));
    return texts;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      shortenValue(member, max, [...path, name], truncated, length),
    ]),
  );
}

/** An array of texts: together they are no longer than one text may be. */
function shortenTexts(values: readonly unknown[], max: number): unknown[] {
  const kept: unknown[] = [];
  let left = max;
  for (const value of values) {
    if (left <= 0) break;
    const text = typeof value === 'string' ? shortenText(value, left) : value;
    left -= String(text).length + 1;
    kept.push(text);
  }
  return kept;
}

/** A surrogate pair is not cut in half. */
function shortenText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
