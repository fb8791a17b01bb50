export type CsvValue = string | number | boolean | null | undefined;

/**
 * The start of a text that a spreadsheet might interpret as a formula. Spreadsheets may ignore white space and quotes
 * before it. In many locales, a semicolon separates cells, and then the quotes around the text do not protect a line
 * break.
 */
const FORMULA = /(^|[;\r\n])((?:[^\S\r\n]|")*[=+@＝＋－＠-])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Converts rows to CSV (RFC 4180) with commas and CRLF line endings. Missing values become empty cells. A text
 * gets a `'` before everything that a spreadsheet might interpret as a formula; numbers are unchanged.
 */
export function toCsv(rows: Iterable<readonly CsvValue[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(toCell).join(',')}\r\n`;
  return text;
}

function toCell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const escaped = value.replaceAll(FORMULA, "$1'$2");
  return NEEDS_QUOTES.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}
