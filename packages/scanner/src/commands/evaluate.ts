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
  /** `undefined`: nothing is muted. */
  readonly mutelist: Mutelist | undefined;
}

/** A check that threw: a bug of the scanner, which must not cost the other results. */
export interface BrokenCheck {
  readonly id: string;
  readonly error: unknown;
}

export interface Evaluation {
  readonly findings: readonly Finding[];
  readonly broken: readonly BrokenCheck[];
}

/** Evaluates every check and marks the findings that the mutelist covers. Findings are in the order of the checks. */
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
export function isWanted({ verdict, muted }: Finding, words: readonly (Status | 'MUTED')[]): boolean {
  return words.length === 0 || words.includes(verdict.status) || (muted && words.includes('MUTED'));
}
