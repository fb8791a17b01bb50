/** Formats a result of an admin command as lines of text: one per attribute, with an empty line between objects. */
export function describeResult(result: object): string {
  if (!Array.isArray(result)) return lines(result);
  if (result.length === 0) return '(none)';
  return result.map((item: object) => lines(item)).join('\n\n');
}

function lines(item: object): string {
  const entries = Object.entries(item);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${text(value)}`).join('\n');
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.map(text).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '-');
  return Object.entries(value)
    .filter(([, member]) => !Array.isArray(member) || member.length > 0)
    .map(([name, member]) => `${name} ${text(member)}`)
    .join(', ');
}
