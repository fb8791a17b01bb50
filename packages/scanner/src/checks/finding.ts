import type { CheckMetadata, Verdict } from './check.ts';

/** A verdict with its check. */
export interface Finding {
  readonly check: CheckMetadata;
  readonly verdict: Verdict;
  /** Whether the mutelist covers the finding. Its status does not change. */
  readonly muted: boolean;
}

/** Data that all findings of a scan share. */
export interface ScanInfo {
  /** UUID version 7. */
  readonly scanId: string;
  readonly startedAt: Date;
  readonly scannerVersion: string;
  /** Organization domain, which is the account ID. */
  readonly orgDomain: string;
  readonly clientId: string;
  /** The name of the dialect. */
  readonly provider: 'directory' | 'okta';
}
