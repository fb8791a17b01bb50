import type { CheckMetadata, Verdict } from './checks/check.ts';

/** A verdict with its check, as outputs show it. */
export interface Finding {
  readonly check: CheckMetadata;
  readonly verdict: Verdict;
  /** The mutelist covers it; its status stays what it is. */
  readonly muted: boolean;
}

/** What all findings of a scan share. */
export interface ScanInfo {
  /** UUID version 7. */
  readonly scanId: string;
  readonly startedAt: Date;
  readonly scannerVersion: string;
  /** Domain of the organization; its account id. */
  readonly orgDomain: string;
  readonly clientId: string;
  /** The name of the dialect. */
  readonly provider: 'directory' | 'okta';
}
