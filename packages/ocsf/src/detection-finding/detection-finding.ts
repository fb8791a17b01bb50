import type { Severity } from './severity.ts';

/** The result of a check, from the `status_code` of the record. */
export type FindingStatus = 'PASS' | 'FAIL' | 'MANUAL';

/** A resource of a finding. A field is `null` if it is absent or has a type that OCSF does not allow. */
export interface FindingResource {
  /** `uid`, or `name` if the resource has no uid. */
  readonly uid: string | null;
  readonly name: string | null;
  readonly type: string | null;
  /** The region of the resource or of the record, or the namespace. */
  readonly region: string | null;
  readonly service: string | null;
  readonly labels: readonly string[];
}

/**
 * The fields of an OCSF Detection Finding (class 2004) that Sluice stores in addition to the record itself and the
 * description of its check. A field is `null` if it is absent or has a type that OCSF does not allow.
 */
export interface DetectionFinding {
  /** `finding_info.uid`, never blank. */
  readonly uid: string;
  /** `metadata.event_code`, never blank. */
  readonly checkId: string;
  /** Lower case, never blank: `aws`, `kubernetes`. */
  readonly providerType: string;
  /** The account id at the provider, never blank. */
  readonly account: string;
  readonly accountName: string | null;
  readonly status: FindingStatus;
  readonly muted: boolean;
  readonly severity: Severity;
  readonly statusDetail: string | null;
  /** When the scanner ran the check, in milliseconds since 1970 (UTC). */
  readonly time: number;
  /** `metadata.product.name`. */
  readonly product: string | null;
  /** `metadata.product.version`. */
  readonly productVersion: string | null;
  /** At most 100 resources, with at most 100 labels in total. */
  readonly resources: readonly FindingResource[];
  /** The region of the first resource; that of the record if it has no resources. */
  readonly region: string | null;
  readonly scanUid: string | null;
}
