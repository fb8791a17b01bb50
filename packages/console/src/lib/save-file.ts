/** How long the address of a file stays after the click: the browser reads it when it gets to it. */
const RETENTION_MS = 60_000;

/** Saves what the page holds as a file, under this name. A text is UTF-8; for what is large give a `Blob`. */
export function saveFile(name: string, content: Blob | string, type = 'application/octet-stream'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), RETENTION_MS);
}
