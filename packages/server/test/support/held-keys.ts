import { setTimeout as sleep } from 'node:timers/promises';
import { LOCKS } from './database-activity.ts';
import type { TenantService } from './service.ts';
import { until } from './until.ts';

/** Key checks that do not come to an end until the release. */
export interface HeldKeys {
  /** Resolves when so many requests wait for the check of their key. */
  readonly waiting: (count: number) => Promise<void>;
  readonly release: () => Promise<void>;
}

/** Lets no key be looked up from now on, so that requests stay before the gate. */
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
      // A connection that is closed meanwhile is noticed by the service before the check has ended.
      await sleep(100);
    },
    release: async () => {
      await client.end();
    },
  };
}
