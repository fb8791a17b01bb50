import type { Check, Status, Thresholds } from '../checks/check.ts';
import type { Dialect } from '../directory/dialect.ts';
import type { Snapshot } from '../directory/snapshot.ts';
import type { Finding } from '../finding.ts';
import { isMuted, type Mutelist } from '../mutelist/mutelist.ts';

export interface EvaluationRequest {
  readonly checks: readonly Check[];
  readonly snapshot: Snapshot;
  readonly thresholds: Thresholds;
  readonly dialect: Dialect;
  readonly orgDomain: string;
  /** `undefined` if nothing is muted. */
  readonly mutelist: Mutelist | undefined;
}

/** A check that threw an error because of a bug. The results of the other checks are kept. */
export interface BrokenCheck {
  readonly id: string;
  readonly error: unknown;
}

export interface Evaluation {
  readonly findings: readonly Finding[];
  readonly broken: readonly BrokenCheck[];
}

/** Evaluates every check and marks muted findings. Findings are in the order of the checks. */
export function evaluate(request: EvaluationRequest): Evaluation {
  const { checks, snapshot, thresholds, dialect, orgDomain, mutelist } = request;
  const findings: Finding[] = [];
  const broken: BrokenCheck[] = [];
  for (const check of checks) {
    try {
      for (const verdict of check.evaluate({ snapshot, thresholds, dialect })) {
        const muted = mutelist !== undefined && isMuted(mutelist, orgDomain, check.id, verdict);
        findings.push({ check, verdict, muted });
      }
    } catch (error) {
      broken.push({ id: check.id, error });
    }
  }
  return { findings, broken };
}

/** Whether `--status` selects a finding; without a status, every finding is selected. */
export function matchesStatus({ verdict, muted }: Finding, filter: readonly (Status | 'MUTED')[]): boolean {
  return filter.length === 0 || filter.includes(verdict.status) || (muted && filter.includes('MUTED'));
}
