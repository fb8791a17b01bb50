import { SEVERITIES, type SeverityName } from '@sluice/ocsf';

/** What is counted of the records of a scan, by the names of the columns. */
export type ScanCount =
  | 'records'
  | 'pass'
  | 'fail'
  | 'manual'
  | 'muted'
  /** FAIL and not muted. */
  | 'failed'
  | `severity_${SeverityName}`
  /** Of those that are FAIL and not muted. */
  | `failed_${SeverityName}`;

export const SCAN_COUNTS: readonly ScanCount[] = [
  'records',
  'pass',
  'fail',
  'manual',
  'muted',
  'failed',
  ...SEVERITIES.map((name): ScanCount => `severity_${name}`),
  ...SEVERITIES.map((name): ScanCount => `failed_${name}`),
];
