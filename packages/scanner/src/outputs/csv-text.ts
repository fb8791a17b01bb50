import { stringify } from 'csv-stringify/sync';
import { visibleText } from './visible-text.ts';

/** A column with its header and its cells. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string>>;

/**
 * Creates a CSV with the delimiter `;` and a header line. A value that a spreadsheet would interpret as a formula is prefixed with an
 * apostrophe (OWASP, "CSV Injection").
 */
export function csvText<Row>(rows: readonly Row[], columns: CsvColumns<Row>): string {
  const cells = Object.values(columns);
  const lines = rows.map((row) => cells.map((cell) => visibleText(cell(row))));
  return stringify([Object.keys(columns), ...lines], {
    delimiter: ';',
    escape_formulas: true,
  });
}

/** Joins several values in one cell. */
export function csvList(values: readonly string[]): string {
  return values.join(' | ');
}

/** Formats a boolean as `True` or `False`, as consumers of these CSV files expect. */
export function csvFlag(value: boolean): string {
  return value ? 'True' : 'False';
}
