const MAX_LENGTH = 300;

/** Text of a server as a clause in a sentence of ours: one line, not too long, without a full stop of its own. */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/\.+$/, '');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}...` : line;
}
