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
  /** `directory` or `okta`. */
  readonly provider: 'directory' | 'okta';
  /** `Directory-IDaaS-STIG-V1R2` */
  readonly framework: string;
  /** Puts a requirement's number into words: `000020` is `DIRECTORY-APP-000020`. */
  readonly stigPrefix: string;
}
