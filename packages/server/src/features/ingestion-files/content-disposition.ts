/** Endings of compressed files: what is given out is inflated. */
const COMPRESSED = /\.(?:gz|gzip|zst|zstd)$/i;

/** The name under which an upload's file is given out: its own, or one made of the job's id where it has none. */
export function downloadName(fileName: string | null, ingestionId: string): string {
  const name = clean(fileName ?? '').replace(COMPRESSED, '');
  return name === '' ? `${ingestionId}.ocsf.json` : name;
}

/**
 * The value of Content-Disposition for a file to be saved under this name (RFC 6266). A name that plain ASCII cannot
 * say comes twice, as appendix D advises: in UTF-8 (RFC 8187), and without what is special for older clients.
 */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const value = `attachment; filename="${plain}"`;
  return plain === name ? value : `${value}; filename*=UTF-8''${extendedValue(name)}`;
}

/** No folders, no characters that control, and none that make a name read in another order than it is. */
function clean(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
}

/** RFC 8187, section 3.2.1: `'`, `(`, `)` and `*` stand in no `attr-char`, but encodeURIComponent leaves them. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
