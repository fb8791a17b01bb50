import { SEVERITIES, type SeverityName } from '@sluice/ocsf';

/** The columns with counts of the records of a scan. */
export type ScanCount =
  | 'records'
  | 'pass'
  | 'fail'
  | 'manual'
  | 'muted'
  /** With the status FAIL and not muted. */
  | 'failed'
  | `severity_${SeverityName}`
  /** With this severity and the status FAIL, and not muted. */
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
