import { stringify } from 'csv-stringify/sync';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import { complianceOf } from '../compliance/all-frameworks.ts';
import { DIALECTS } from '../directory/dialect.ts';
import { visibleText } from '../terminal/formatting.ts';
import { findingUids } from './finding-uids.ts';

/** A column with its header and its cells. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string>>;

interface Row extends Finding {
  readonly uid: string;
}

/** Creates a CSV with one line per finding, and with column names that other scanners also use. */
export function toCsv(findings: readonly Finding[], scan: ScanInfo): string {
  const uids = findingUids(findings, scan);
  const rows = findings.map((finding, at) => ({ ...finding, uid: uids[at] ?? '' }));
  return csvText(rows, columns(scan));
}

function columns(scan: ScanInfo): CsvColumns<Row> {
  return {
    TIMESTAMP: () => scan.startedAt.toISOString(),
    ACCOUNT_UID: () => scan.orgDomain,
    ACCOUNT_NAME: () => scan.orgDomain,
    ACCOUNT_ORGANIZATION_UID: () => scan.clientId,
    FINDING_UID: ({ uid }) => uid,
    PROVIDER: () => scan.provider,
    CHECK_ID: ({ check }) => check.id,
    CHECK_TITLE: ({ check }) => check.title,
    STATUS: ({ verdict }) => verdict.status,
    STATUS_EXTENDED: ({ verdict }) => verdict.detail,
    MUTED: ({ muted }) => csvFlag(muted),
    SERVICE_NAME: ({ check }) => check.service,
    SEVERITY: ({ check }) => check.severity,
    RESOURCE_UID: ({ verdict }) => verdict.resource.id,
    RESOURCE_NAME: ({ verdict }) => verdict.resource.name,
    REGION: () => 'global',
    DESCRIPTION: ({ check }) => check.description,
    RISK: ({ check }) => check.risk,
    REMEDIATION_RECOMMENDATION_TEXT: ({ check }) => check.remediation,
    REMEDIATION_RECOMMENDATION_URL: ({ check }) => check.references[0] ?? '',
    ADDITIONAL_URLS: ({ check }) => csvList(check.references.slice(1)),
    COMPLIANCE: ({ check }) =>
      csvList(
        complianceOf(check, DIALECTS[scan.provider]).map(
          ({ name, requirements }) => `${name}: ${requirements.map(({ id }) => id).join(', ')}`,
        ),
      ),
    STIG_GROUP: ({ check }) => check.stig.group,
    STIG_RULE: ({ check }) => check.stig.rule,
    CATEGORIES: ({ check }) => check.category,
    NOTES: ({ check }) => check.notes,
    SCAN_ID: () => scan.scanId,
    SCANNER_VERSION: () => scan.scannerVersion,
  };
}

/**
 * The start of a formula after a comma or a line break. In many locales, a comma separates cells, and then the quotes
 * around a value do not protect its line breaks.
 */
const LATER_FORMULA = /([,\r\n])((?:[^\S\r\n]|")*[=+@＝＋－＠-])/g;

/**
 * Creates a CSV with the delimiter `;` and a header line. Everything that a spreadsheet would interpret as a formula is
 * prefixed with an apostrophe (OWASP, "CSV Injection").
 */
export function csvText<Row>(rows: readonly Row[], columns: CsvColumns<Row>): string {
  const cells = Object.values(columns);
  const lines = rows.map((row) =>
    cells.map((cell) => visibleText(cell(row)).replaceAll(LATER_FORMULA, "$1'$2")),
  );
  return stringify([Object.keys(columns), ...lines], {
    delimiter: ';',
    escape_formulas: true,
  });
}

/** Joins several values in one cell. */
function csvList(values: readonly string[]): string {
  return values.join(' | ');
}

/** Formats a boolean as `True` or `False`, as consumers of these CSV files expect. */
export function csvFlag(value: boolean): string {
  return value ? 'True' : 'False';
}
