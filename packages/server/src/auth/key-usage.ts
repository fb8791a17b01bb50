import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type pg from 'pg';
import { isDistributed } from '../db/distribution.ts';
import { TENANT } from '../db/tenant-parameter.ts';
import { asTenant, queryOnce } from '../db/transaction.ts';

const STOP_MS = 2000;

/** Locks the keys in order, so that two processes never deadlock. */
const NOTE_USES = `
  with used as materialized (
    select k.id, u.at from unnest($2::uuid[], $3::timestamptz[]) as u (id, at)
    cross join lateral (
      select id from api_keys
      where tenant_id = ${TENANT} and id = u.id and (last_used_at is null or last_used_at < u.at)
      offset 0 for no key update
    ) as k
    order by k.id
  )
  update api_keys k set last_used_at = used.at from used where k.tenant_id = ${TENANT} and k.id = used.id`;

interface Use {
  readonly tenantId: string;
  readonly at: Date;
}

export interface KeyUsageOptions {
  readonly pool: pg.Pool;
  readonly seconds: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Records when API keys were last used. The timestamps are buffered in memory and written in batches. No request waits
 * for a write, and each key is written at most once per interval.
 */
export class KeyUsage {
  readonly #options: KeyUsageOptions;
  readonly #timer: NodeJS.Timeout;
  /** A slow write must not overlap the next one. */
  readonly #serialize = pLimit(1);
  #uses = new Map<string, Use>();

  constructor(options: KeyUsageOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#write(), options.seconds * 1000).unref();
  }

  /** Records that a key has just been accepted. */
  record(tenantId: string, keyId: string): void {
    this.#uses.set(keyId, { tenantId, at: new Date() });
  }

  /** Writes the buffered timestamps. Gives up after two seconds if the database is unavailable. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.#write(), sleep(STOP_MS, undefined, { ref: false })]);
  }

  #write(): Promise<void> {
    return this.#serialize(() => this.#writeNow());
  }

  async #writeNow(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      const { pool } = this.#options;
      await (isDistributed(pool) ? writeByTenant(pool, uses) : write(pool, uses));
    } catch (error) {
      this.#options.onError(error);
      // Retry with the next write. Timestamps recorded in the meantime are newer and take precedence.
      this.#uses = new Map([...uses, ...this.#uses]);
    }
  }
}

async function write(pool: pg.Pool, uses: ReadonlyMap<string, Use>): Promise<void> {
  await queryOnce(pool, 'select note_api_key_uses($1::uuid[], $2::uuid[], $3::timestamptz[])', [
    [...uses.values()].map(({ tenantId }) => tenantId),
    [...uses.keys()],
    [...uses.values()].map(({ at }) => at.toISOString()),
  ]);
}

/** Like `note_api_key_uses`, with a transaction per tenant, because each transaction uses one node. */
async function writeByTenant(pool: pg.Pool, uses: ReadonlyMap<string, Use>): Promise<void> {
  for (const [tenantId, keys] of Map.groupBy(uses, ([, { tenantId }]) => tenantId))
    await asTenant(pool, tenantId, async (client) => {
      await client.query(`set local lock_timeout = '500ms'`);
      await client.query(NOTE_USES, [
        tenantId,
        keys.map(([id]) => id),
        keys.map(([, { at }]) => at.toISOString()),
      ]);
    });
}
