import { setTimeout as sleep } from 'node:timers/promises';
import { LOCKS } from './database-activity.ts';
import type { TenantService } from './service.ts';
import { until } from './until.ts';

/** Key lookups that are blocked until `release` is called. */
export interface HeldKeys {
  /** Resolves when this many requests wait for a key lookup. */
  readonly waiting: (count: number) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Blocks all subsequent key lookups, so that requests wait before authentication. */
export async function holdKeys(service: TenantService): Promise<HeldKeys> {
  const client = await service.connect();
  await client.query('begin; lock table api_keys in access exclusive mode');
  return {
    waiting: async (count) => {
      await until(async () => {
        const { rows } = await client.query(
          `select 1 from ${LOCKS} where not granted and relation = 'api_keys'::regclass`,
        );
        return rows.length >= count;
      });
      // Gives the service time to detect connections that were closed during the lookup.
      await sleep(100);
    },
    release: async () => {
      await client.end();
    },
  };
}
