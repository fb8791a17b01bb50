import { SEVERITIES, severityId } from '@sluice/ocsf';

/** The columns of an export, with their SQL types as far as the formats treat them differently. */
interface ExportColumn {
  readonly name: string;
  /** SQL expression on the columns of a finding (`exportedFindings`). */
  readonly sql: string;
  /** Text from records or users, which a spreadsheet might interpret as a formula. */
  readonly isText?: boolean;
  /** Array of texts. */
  readonly isList?: boolean;
  /** Column of the finding's check: `sql` is an expression on a row of `checks`. */
  readonly isOfCheck?: boolean;
}

const text = (name: string, sql = name): ExportColumn => ({ name, sql, isText: true });
const list = (name: string): ExportColumn => ({ name, sql: name, isText: true, isList: true });
const value = (name: string, sql = name): ExportColumn => ({ name, sql });
const ofCheck = (column: ExportColumn): ExportColumn => ({ ...column, isOfCheck: true });

const severity = `case severity ${SEVERITIES.map((name) => `when ${severityId(name)} then '${name}'`).join(' ')} else severity::text end`;

const columns = (consoleUrl: string): readonly ExportColumn[] => [
  value('id'),
  text('provider_type'),
  text('account'),
  text('account_alias'),
  text('check_id'),
  ofCheck(text('check_title', 'title')),
  value('severity', severity),
  value('state', "case when resolved_at is null then 'open' else 'resolved' end"),
  value('status'),
  value('muted'),
  value('delta'),
  text('status_detail'),
  text('resource_uid'),
  text('resource_name'),
  text('resource_type'),
  text('region'),
  text('service'),
  value('first_seen_at'),
  value('last_seen_at'),
  value('status_changed_at'),
  value('resolved_at'),
  ofCheck(text('risk')),
  ofCheck(text('remediation')),
  ofCheck(list('categories')),
  ofCheck(list('compliance')),
  text('product'),
  text('uid'),
  value('link', `'${consoleUrl.replaceAll("'", "''")}' || id`),
];

/** A format that PostgreSQL writes. */
export type RowFormat = 'csv' | 'ndjson';

/** The select list of an export, or of the columns with these names. */
export function exportColumns(consoleUrl: string, format: RowFormat, names?: ReadonlySet<string>): string {
  return columns(consoleUrl)
    .filter(({ name }) => names?.has(name) ?? true)
    .map(
      (column) => `${column.isOfCheck === true ? column.name : formatted(column, format)} as ${column.name}`,
    )
    .join(', ');
}

/**
 * The columns of a check in the format. PostgreSQL keeps the results for all findings of the check, so that its texts
 * are searched for formulas once.
 */
export function checkColumns(format: RowFormat): string {
  return columns('')
    .filter(({ isOfCheck }) => isOfCheck === true)
    .map((column) => `${formatted(column, format)} as ${column.name}`)
    .join(', ');
}

/**
 * In CSV, a text that a spreadsheet might interpret as a formula gets a `'` before the formula, also after a semicolon
 * or a line break. In many locales, a semicolon separates cells, and then the quotes around the text do not protect a
 * line break.
 */
function formatted({ sql, isText, isList }: ExportColumn, format: RowFormat): string {
  if (format !== 'csv') return sql;
  const joined = isList ? `array_to_string(${sql}, '; ')` : sql;
  // COPY would write `t` and `f` for booleans.
  return isText ? withoutFormulas(joined) : `(${joined})::text`;
}

/**
 * The first characters of formulas, and those that spreadsheets may ignore before a formula: white space and quotes.
 */
const FORMULA_STARTS = Array.from(' "\t\n\v\f\r=+-@＝＋－＠', (character) => character.codePointAt(0));

/** Tests the first character first: a regular expression for every text would take most of the time of an export. */
function withoutFormulas(sql: string): string {
  const mayHaveLaterCells = [';', '\\n', '\\r']
    .map((end) => `position(E'${end}' in ${sql}) > 0`)
    .join(' or ');
  return `case when ascii(${sql}) = any ('{${FORMULA_STARTS.join(',')}}'::integer[]) or ${mayHaveLaterCells}
    then regexp_replace(${sql}, '(^|[;\\n\\r])([ \\t\\v\\f"]*)([=+@＝＋－＠-])', '\\1''\\2\\3', 'g') else ${sql} end`;
}
