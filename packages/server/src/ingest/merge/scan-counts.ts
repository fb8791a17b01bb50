import { SEVERITIES, type SeverityName } from '@sluice/ocsf';

/** The record count columns of a scan. */
export type ScanCount =
  | 'records'
  | 'pass'
  | 'fail'
  | 'manual'
  | 'muted'
  /** Records with the status FAIL that are not muted. */
  | 'failed'
  | `severity_${SeverityName}`
  /** Records with this severity and the status FAIL that are not muted. */
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
