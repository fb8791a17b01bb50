import type { Check, Status, Thresholds } from '../checks/check.ts';
import type { Dialect } from '../directory/dialect.ts';
import type { Snapshot } from '../directory/snapshot.ts';
import type { Finding } from '../finding.ts';
import { isMuted, type Mutelist } from '../mutelist/mutelist.ts';

export interface JudgeRequest {
  readonly checks: readonly Check[];
  readonly snapshot: Snapshot;
  readonly thresholds: Thresholds;
  readonly dialect: Dialect;
  readonly orgDomain: string;
  /** `undefined`: nothing is muted. */
  readonly mutelist: Mutelist | undefined;
}

/** A check that threw instead of judging: a fault of ours, which must not take the other results along. */
export interface BrokenCheck {
  readonly id: string;
  readonly error: unknown;
}

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly broken: readonly BrokenCheck[];
}

/** Judges with every check and marks what the mutelist covers; findings in the order of the checks. */
export function judge(request: JudgeRequest): Judgement {
  const { checks, snapshot, thresholds, dialect, orgDomain, mutelist } = request;
  const findings: Finding[] = [];
  const broken: BrokenCheck[] = [];
  for (const check of checks) {
    try {
      for (const verdict of check.judge({ snapshot, thresholds, dialect })) {
        const muted = mutelist !== undefined && isMuted(mutelist, orgDomain, check.id, verdict);
        findings.push({ check, verdict, muted });
      }
    } catch (error) {
      broken.push({ id: check.id, error });
    }
  }
  return { findings, broken };
}

/** Whether a finding is one of those that `--status` asks for; without a word all are. */
export function isWanted({ verdict, muted }: Finding, words: readonly (Status | 'MUTED')[]): boolean {
  return words.length === 0 || words.includes(verdict.status) || (muted && words.includes('MUTED'));
}
