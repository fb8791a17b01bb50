/** Extensions of compressed files, removed because downloads are decompressed. */
const COMPRESSED = /\.(?:gz|gzip|zst|zstd)$/i;

/**
 * Returns the file name for a download: the name of the uploaded file, or a name derived from the job id if the upload
 * has no file name.
 */
export function downloadName(fileName: string | null, ingestionId: string): string {
  const name = clean(fileName ?? '').replace(COMPRESSED, '');
  return name === '' ? `${ingestionId}.ocsf.json` : name;
}

/**
 * Returns the Content-Disposition header for a download with this name (RFC 6266). A name with characters other than
 * plain ASCII is sent twice, as appendix D recommends: in UTF-8 (RFC 8187), and with special characters replaced for
 * older clients.
 */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const value = `attachment; filename="${plain}"`;
  return plain === name ? value : `${value}; filename*=UTF-8''${extendedValue(name)}`;
}

/**
 * Removes directories, control characters and bidirectional controls, which could change the displayed order of the
 * name.
 */
function clean(name: string): string {
  return name
    .toWellFormed()
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
}

/** RFC 8187, section 3.2.1: encodeURIComponent does not encode `'`, `(`, `)` and `*`, which are not `attr-char`. */
function extendedValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
