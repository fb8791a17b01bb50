export type CsvValue = string | number | boolean | null | undefined;

/** A spreadsheet takes a cell that starts so for a formula, or drops the blank and then does. */
const STARTS_FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Rows as CSV (RFC 4180): commas, CR LF after each row. What is not there is an empty cell. A text that a spreadsheet
 * would take for a formula gets a `'` in front; a number stays a number.
 */
export function toCsv(rows: Iterable<readonly CsvValue[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(toCell).join(',')}\r\n`;
  return text;
}

function toCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
