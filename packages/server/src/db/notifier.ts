import type pg from 'pg';

/**
 * Sends notifications on one channel, with one statement in progress at a time: what is asked for meanwhile is sent as one
 * more. A NOTIFY takes a lock of the whole PostgreSQL server until its transaction is committed, so it must not be part of
 * a transaction that waits for the disk.
 */
export class Notifier {
  readonly #pool: pg.Pool;
  readonly #statement: string;
  readonly #onError: (error: unknown) => void;
  #isSending = false;
  #isDue = false;

  /** Listeners poll, too: an error costs them time and no notification is sent again. */
  constructor(pool: pg.Pool, channel: string, onError: (error: unknown) => void) {
    this.#pool = pool;
    // A notification has nothing to be made durable, but PostgreSQL would flush its commit.
    this.#statement = `set local synchronous_commit to off; notify ${channel}`;
    this.#onError = onError;
  }

  /** Returns at once. */
  notify(): void {
    this.#isDue = true;
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#isDue) {
      this.#isDue = false;
      try {
        await this.#pool.query(this.#statement);
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#isSending = false;
  }
}
