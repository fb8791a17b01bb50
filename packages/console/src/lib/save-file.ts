/** How long the object URL remains valid after the click, in milliseconds. The browser reads the URL asynchronously. */
const REVOKE_DELAY_MS = 60_000;

/** Saves content as a file with this name. Strings are encoded as UTF-8; use a `Blob` for large content. */
export function saveFile(name: string, content: Blob | string, type = 'application/octet-stream'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_DELAY_MS);
}
