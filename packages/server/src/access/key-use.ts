import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { queryOnce } from '../db/transaction.ts';

const STOP_MS = 2000;

interface Use {
  readonly tenantId: string;
  readonly at: Date;
}

export interface KeyUseOptions {
  readonly pool: pg.Pool;
  readonly seconds: number;
  readonly onError: (error: unknown) => void;
}

/**
 * When keys were last used. Uses are kept in memory and written together, once in a while: no request waits for it, and
 * a key that is used a thousand times a minute costs one write a minute.
 */
export class KeyUse {
  readonly #options: KeyUseOptions;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, Use>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: KeyUseOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#write(), options.seconds * 1000).unref();
  }

  /** To be called for keys that were accepted. */
  note(tenantId: string, keyId: string): void {
    this.#uses.set(keyId, { tenantId, at: new Date() });
  }

  /** Writes what is left; a database that is away is not waited for. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.#write(), sleep(STOP_MS, undefined, { ref: false })]);
  }

  #write(): Promise<void> {
    // One after the other: a write that is slow must not meet the next.
    this.#writing = this.#writing.then(() => this.#writeNow());
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await queryOnce(
        this.#options.pool,
        'select note_api_key_uses($1::uuid[], $2::uuid[], $3::timestamptz[])',
        [
          [...uses.values()].map(({ tenantId }) => tenantId),
          [...uses.keys()],
          [...uses.values()].map(({ at }) => at.toISOString()),
        ],
      );
    } catch (error) {
      this.#options.onError(error);
      // For the next time; what has been noted since is newer.
      this.#uses = new Map([...uses, ...this.#uses]);
    }
  }
}
