const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,"]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i;

/**
 * The cursor of the next page, from a `Link` header (RFC 8288, section 3). Returns `undefined` on the last page, and
 * `null` if the link to the next page has no cursor. URLs can contain commas and semicolons.
 */
export function nextCursor(header: string | null, url: URL): string | null | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(LINK)) {
    const rel = REL.exec(parameters);
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (!relations.includes('next')) continue;
    if (!URL.canParse(target, url.href)) return null;
    // An empty cursor would request the first page again.
    return new URL(target, url).searchParams.get('after') || null;
  }
  return undefined;
}
