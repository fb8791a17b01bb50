import { hashOf, Random } from '../../../../tools/findings-generator/src/random.ts';

/** What is killed: a process that works on frames, one that answers requests, or PostgreSQL. */
export const KILL_KINDS = ['worker', 'api', 'postmaster'] as const;
export type KillKind = (typeof KILL_KINDS)[number];

export interface Kill {
  readonly kind: KillKind;
  /** How long after the last one, in milliseconds. */
  readonly pauseMs: number;
  /** How far into the work that is then at hand, in milliseconds. */
  readonly delayMs: number;
  /** Of an API: at the moment when the job of an upload is recorded, around its commit and its answer. */
  readonly atCommit: boolean;
  /** Which of those that could be killed, counted round. */
  readonly pick: number;
}

/** Tells the plan of kills from the uploads, which count tenants from 0. */
const PLAN = 0xffff;
const POSTMASTER_SHARE = 0.14;
/** A frame takes longer as a rule, so a kill falls anywhere into it. */
const DELAY_MS = 250;
const API_SHARE = 0.3;

/** The kills of a run in their order: one in seven is PostgreSQL, one at least; three in ten are APIs; the rest workers. */
export function planKills(seed: number, kills: number, pauseMs: { least: number; most: number }): Kill[] {
  const random = new Random(hashOf(seed, PLAN));
  const postmasters = Math.max(1, Math.round(kills * POSTMASTER_SHARE));
  const apis = Math.round(kills * API_SHARE);
  const left: KillKind[] = Array.from({ length: kills }, (_, at) =>
    at < postmasters ? 'postmaster' : at < postmasters + apis ? 'api' : 'worker',
  );
  let ofApis = 0;
  return Array.from({ length: kills }, () => {
    const [kind = 'worker'] = left.splice(random.below(left.length), 1);
    return {
      kind,
      pauseMs: pauseMs.least + random.below(pauseMs.most - pauseMs.least),
      delayMs: random.below(DELAY_MS),
      atCommit: kind === 'api' && ofApis++ % 2 === 0,
      pick: random.next(),
    };
  });
}
