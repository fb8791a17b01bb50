import { type Dialect, isRequestedByDefault } from '../directory/dialect.ts';
import type { ReadProblem } from '../directory/read.ts';
import type { ResourceKey, Snapshot } from '../directory/snapshot.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'informational';
export type Status = 'PASS' | 'FAIL' | 'MANUAL';
export type Service =
  | 'apitoken'
  | 'application'
  | 'authenticator'
  | 'idp'
  | 'network'
  | 'signon'
  | 'systemlog'
  | 'user';

/** Limits that an organization may set for itself; the defaults are those of the STIG. */
export interface Thresholds {
  readonly maxSessionIdleMinutes: number;
  readonly maxSessionLifetimeMinutes: number;
  readonly adminConsoleMaxIdleMinutes: number;
  readonly maxInactivityDays: number;
  /** Tried in this order against the issuer of a smart-card identity provider. */
  readonly approvedIssuers: readonly RegExp[];
}

/** One requirement of the DISA STIG for identity as a service, V1R2. */
export interface StigRequirement {
  /** The number behind the prefix: `000020` of `DIRECTORY-APP-000020`. */
  readonly requirement: string;
  /** `V-273186` */
  readonly group: string;
  /** `SV-273186r1098825_rule` */
  readonly rule: string;
  readonly category: 'CAT I' | 'CAT II';
  /** Control correlation identifiers without their prefix `CCI-`: `000057`. */
  readonly ccis: readonly string[];
}

/** What a check says of itself. Texts are plain text, in whole sentences. */
export interface CheckMetadata {
  readonly id: string;
  readonly service: Service;
  readonly severity: Severity;
  readonly title: string;
  readonly description: string;
  readonly risk: string;
  readonly remediation: string;
  /** Pages of the vendor or of a standard. */
  readonly references: readonly string[];
  readonly category: 'identity-access' | 'logging';
  readonly stig: StigRequirement;
  /** When the check does not apply, and what else a reader should know; empty where there is nothing. */
  readonly notes: string;
}

export interface EvaluatedResource {
  /** Unique within the check. */
  readonly id: string;
  readonly name: string;
  /** The object of the snapshot that was evaluated; `null` where there is none. */
  readonly data: object | null;
}

export interface Verdict {
  readonly status: Status;
  /** One or two sentences with what was seen and what is required, numbers with their units. */
  readonly detail: string;
  readonly resource: EvaluatedResource;
}

/** Everything that an evaluation may depend on. */
export interface EvaluationContext<Keys extends ResourceKey> {
  readonly snapshot: Pick<Snapshot, Keys>;
  readonly thresholds: Thresholds;
  readonly dialect: Dialect;
}

/** Texts of a check that a dialect can replace. */
export type CheckTexts = Pick<CheckMetadata, 'title' | 'description' | 'risk' | 'remediation' | 'notes'>;

export interface Check<Keys extends ResourceKey = ResourceKey> extends CheckMetadata {
  /** What has to be read for it. */
  readonly needs: readonly Keys[];
  /** Texts of a dialect for which replacing the vendor's name is not enough. */
  readonly wording?: Readonly<Partial<Record<Dialect['name'], Partial<CheckTexts>>>>;
  /** Pure: the same snapshot always gives the same verdicts. */
  evaluate(context: EvaluationContext<Keys>): readonly Verdict[];
}

/** A check as its file declares it: `needs` decides what `evaluate` gets to see. */
export function defineCheck<const Keys extends ResourceKey>(check: Check<Keys>): Check<Keys> {
  return check;
}

/** The verdict where something could not be read: MANUAL, whatever the reason, and what to do about it. */
export function unreadVerdict(problem: ReadProblem, resource: EvaluatedResource, what: string): Verdict {
  return {
    status: 'MANUAL',
    detail: `${what} could not be read: ${problem.detail}. ${remedy(problem)}`,
    resource,
  };
}

function remedy({ cause, scope }: ReadProblem): string {
  switch (cause) {
    case 'scope':
      return scope === null || isRequestedByDefault(scope)
        ? `Grant the scope ${scope} to the service app and scan again.`
        : `Grant the scope ${scope} to the service app, add it to the other scopes in --directory-scopes, and scan again.`;
    case 'role':
      return 'Give the service app an admin role that may read it, Read-Only Administrator at least, and scan again.';
    case 'not_offered':
      return 'This organization does not offer it; verify the requirement by hand.';
    case 'failed':
      return 'Scan again, or verify the requirement by hand.';
  }
}
