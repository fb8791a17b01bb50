import { stringify } from 'csv-stringify/sync';
import { visibleText } from './visible-text.ts';

/** A column: its header and its cells. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string>>;

/**
 * CSV with `;` and a line of headers. A value that a spreadsheet would take for a formula gets an apostrophe in
 * front (OWASP, "CSV Injection").
 */
export function csvText<Row>(rows: readonly Row[], columns: CsvColumns<Row>): string {
  const cells = Object.values(columns);
  const lines = rows.map((row) => cells.map((cell) => visibleText(cell(row))));
  return stringify([Object.keys(columns), ...lines], {
    delimiter: ';',
    escape_formulas: true,
  });
}

/** Several values in one cell. */
export function csvList(values: readonly string[]): string {
  return values.join(' | ');
}

/** `True` or `False`: the words that readers of such files look for. */
export function csvFlag(value: boolean): string {
  return value ? 'True' : 'False';
}
