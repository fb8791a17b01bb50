import { hashOf, Random } from '../../../../tools/findings-generator/src/random.ts';

/** The victim of a kill: a worker process, an API process, PostgreSQL, or a worker node of a cluster. */
export const VICTIM_TYPES = ['worker', 'api', 'postmaster', 'node'] as const;
export type VictimType = (typeof VICTIM_TYPES)[number];

export interface Kill {
  readonly type: VictimType;
  /** Delay after the previous kill, in milliseconds. */
  readonly pauseMs: number;
  /** Delay once work is in progress, in milliseconds. */
  readonly delayMs: number;
  /**
   * Whether to kill an API process while it records the job for an upload, around the time of the commit and the
   * response.
   */
  readonly atCommit: boolean;
  /** Index of the victim among the candidates, modulo their count. */
  readonly pick: number;
}

/** Used in place of a tenant number to derive the random numbers of the kill plan. Tenant numbers start at 0. */
const PLAN = 0xffff;
const POSTMASTER_SHARE = 0.14;
/** Frames usually take longer, so a kill can happen at any point during a frame. */
const DELAY_MS = 250;
const API_SHARE = 0.3;
const NODE_SHARE = 0.3;

/**
 * Plans the kills of a run in order. One in seven kills hits PostgreSQL (at least one per run), three in ten hit an API
 * process, three in ten a node of a cluster, and the others hit workers.
 */
export function planKills(
  seed: number,
  kills: number,
  pauseMs: { least: number; most: number },
  isCluster: boolean,
): Kill[] {
  const random = new Random(hashOf(seed, PLAN));
  const postmasters = Math.max(1, Math.round(kills * POSTMASTER_SHARE));
  const victims: readonly VictimType[] = [
    ...Array<VictimType>(postmasters).fill('postmaster'),
    ...Array<VictimType>(Math.round(kills * API_SHARE)).fill('api'),
    ...Array<VictimType>(isCluster ? Math.round(kills * NODE_SHARE) : 0).fill('node'),
  ];
  const remaining = Array.from({ length: kills }, (_, at) => victims[at] ?? 'worker');
  let apiKills = 0;
  return Array.from({ length: kills }, () => {
    const [type = 'worker'] = remaining.splice(random.below(remaining.length), 1);
    return {
      type,
      pauseMs: pauseMs.least + random.below(pauseMs.most - pauseMs.least),
      delayMs: random.below(DELAY_MS),
      atCommit: type === 'api' && apiKills++ % 2 === 0,
      pick: random.next(),
    };
  });
}
