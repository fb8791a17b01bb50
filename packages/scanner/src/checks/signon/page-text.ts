/** Inline elements, whose tags do not separate words. All other tags do. */
const INLINE_TAG =
  /<\/?(?:a|abbr|b|bdi|bdo|big|cite|code|em|font|i|ins|label|mark|q|s|small|span|strong|sub|sup|tt|u|wbr)(?:[\s/][^<>]*)?>/gi;
const ANY_TAG = /<[a-z/!?][^<>]*>/gi;
/** An unclosed comment extends to the end of the page, as in a browser. */
const COMMENT = /<!--.*?(?:-->|$)/gs;
const STYLE = /<style(?:\s[^<>]*)?>.*?(?:<\/style|$)/gis;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));?/gi;
/** Invisible characters: soft hyphens, zero-width spaces and joiners. */
const INVISIBLE = /\p{Cf}/gu;

/** Entities that can occur in a warning banner (HTML, section "Named character references"). */
const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['apos', "'"],
  ['comma', ','],
  ['emsp', ' '],
  ['ensp', ' '],
  ['gt', '>'],
  ['lt', '<'],
  ['mdash', '—'],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['newline', ' '],
  ['period', '.'],
  ['quot', '"'],
  ['shy', ''],
  ['tab', ' '],
  ['thinsp', ' '],
  ['zwj', ''],
  ['zwnj', ''],
]);

/**
 * Returns the visible text of a page in lowercase, with single spaces and decoded character references. Removes
 * comments, styles and tags, but keeps scripts, because many sign-in pages generate their text with JavaScript.
 *
 * @param html A page or a fragment, well-formed or not.
 */
export function pageText(html: string): string {
  return html
    .replace(COMMENT, ' ')
    .replace(STYLE, ' ')
    .replace(INLINE_TAG, '')
    .replace(ANY_TAG, ' ')
    .replace(ENTITY, decodeEntity)
    .replace(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function decodeEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
  const codePoint = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : entity;
}
