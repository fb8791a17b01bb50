import { type Dialect, isRequestedByDefault } from '../directory/dialect.ts';
import type { ReadProblem } from '../directory/read-result.ts';
import type { ResourceKey, Snapshot } from '../directory/snapshot.ts';

/** All severities in descending order, as in every table and list. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The display names of severities, which are also their OCSF names. */
export const SEVERITY_TITLES = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Informational',
} as const satisfies Record<Severity, string>;

export type Status = 'PASS' | 'FAIL' | 'MANUAL';
type Service =
  | 'apitoken'
  | 'application'
  | 'authenticator'
  | 'idp'
  | 'network'
  | 'signon'
  | 'systemlog'
  | 'user';

/** Configurable limits. The defaults are the STIG limits. */
export interface Thresholds {
  readonly maxSessionIdleMinutes: number;
  readonly maxSessionLifetimeMinutes: number;
  readonly adminConsoleMaxIdleMinutes: number;
  readonly maxInactivityDays: number;
  /** Patterns to match, in this order, against the issuer of a smart card identity provider. */
  readonly approvedIssuers: readonly RegExp[];
}

/** A requirement of the DISA STIG for identity as a service, V1R2. */
export interface StigRequirement {
  /** The number after the prefix, such as `000020` in `DIRECTORY-APP-000020`. */
  readonly requirement: string;
  /** The group ID, such as `V-273186`. */
  readonly group: string;
  /** The rule ID, such as `SV-273186r1098825_rule`. */
  readonly rule: string;
  readonly category: 'CAT I' | 'CAT II';
  /** Control correlation identifiers without the prefix `CCI-`, such as `000057`. */
  readonly ccis: readonly string[];
}

/** The metadata of a check, in plain text with complete sentences. */
export interface CheckMetadata {
  readonly id: string;
  readonly service: Service;
  readonly severity: Severity;
  readonly title: string;
  readonly description: string;
  readonly risk: string;
  readonly remediation: string;
  /** URLs of vendor documentation or standards. */
  readonly references: readonly string[];
  readonly category: 'identity-access' | 'logging';
  readonly stig: StigRequirement;
  /** Exceptions and further information; can be empty. */
  readonly notes: string;
}

export interface EvaluatedResource {
  /** The ID is unique within the check. */
  readonly id: string;
  readonly name: string;
  /** The evaluated object of the snapshot, or `null` if there is none. */
  readonly data: object | null;
}

export interface Verdict {
  readonly status: Status;
  /** One or two sentences with the observed and the required settings, with units. */
  readonly detail: string;
  readonly resource: EvaluatedResource;
}

/** All inputs to the evaluation of a check. */
export interface EvaluationContext<Keys extends ResourceKey> {
  readonly snapshot: Pick<Snapshot, Keys>;
  readonly thresholds: Thresholds;
  readonly dialect: Dialect;
}

/** The check metadata that can differ by vendor. */
type CheckTexts = Pick<CheckMetadata, 'title' | 'description' | 'risk' | 'remediation' | 'notes'>;

export interface Check<Keys extends ResourceKey = ResourceKey> extends CheckMetadata {
  /** The resources that the check reads. */
  readonly needs: readonly Keys[];
  /** Metadata for vendors whose metadata differs in more than the vendor name. */
  readonly wording?: Readonly<Partial<Record<Dialect['name'], Partial<CheckTexts>>>>;
  /** A pure function: the same context always returns the same verdicts. */
  evaluate(context: EvaluationContext<Keys>): readonly Verdict[];
}

/** Declares a check. `needs` determines the part of the snapshot that `evaluate` can access. */
export function defineCheck<const Keys extends ResourceKey>(check: Check<Keys>): Check<Keys> {
  return check;
}

/** The verdict if data could not be read: MANUAL, with the reason and the remedy. */
export function unreadVerdict(problem: ReadProblem, resource: EvaluatedResource, subject: string): Verdict {
  return {
    status: 'MANUAL',
    detail: `${subject} could not be read: ${problem.detail}. ${remedy(problem)}`,
    resource,
  };
}

function remedy({ cause, scope }: ReadProblem): string {
  switch (cause) {
    case 'scope':
      return scope === null || isRequestedByDefault(scope)
        ? `Grant the scope ${scope} to the service app and scan again.`
        : `Grant the scope ${scope} to the service app, add it to --directory-scopes, and scan again.`;
    case 'role':
      return 'Assign the service app an admin role that can read it, at least Read-Only Administrator, and scan again.';
    case 'not_offered':
      return 'The organization does not offer this feature. Verify the requirement manually.';
    case 'failed':
      return 'Scan again, or verify the requirement manually.';
  }
}

/**
 * Placeholder for data that could not be read, such as `log-streams-scope-missing` or `log-streams-retrieval-error`.
 */
export function unreadResource(prefix: string, { cause }: ReadProblem): EvaluatedResource {
  return cause === 'scope'
    ? { id: `${prefix}-scope-missing`, name: '(scope not granted)', data: null }
    : { id: `${prefix}-retrieval-error`, name: '(retrieval failed)', data: null };
}
