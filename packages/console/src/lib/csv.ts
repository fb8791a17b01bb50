export type CsvValue = string | number | boolean | null | undefined;

/**
 * Characters that can make a spreadsheet interpret a cell as a formula. Spreadsheets may trim a leading tab or carriage
 * return.
 */
const STARTS_FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Converts rows to CSV (RFC 4180) with commas and CRLF line endings. Missing values become empty cells. Text that a
 * spreadsheet would interpret as a formula gets a `'` prefix; numbers are unchanged.
 */
export function toCsv(rows: Iterable<readonly CsvValue[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(toCell).join(',')}\r\n`;
  return text;
}

function toCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const escaped = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
