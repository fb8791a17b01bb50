import type pg from 'pg';

/**
 * Sends notifications on one channel, one statement at a time. Calls made while a statement is running are combined
 * into the next statement. NOTIFY holds a server-wide lock until its transaction commits, so it must not be part of a
 * transaction that waits for the disk.
 */
export class Notifier {
  readonly #pool: pg.Pool;
  readonly #statement: string;
  readonly #onError: (error: unknown) => void;
  #isSending = false;
  #isPending = false;

  /** A failed notification is not sent again: listeners also poll. */
  constructor(pool: pg.Pool, channel: string, onError: (error: unknown) => void) {
    this.#pool = pool;
    // Notifications are not durable anyway, so PostgreSQL does not have to flush the commit.
    this.#statement = `set local synchronous_commit to off; notify ${channel}`;
    this.#onError = onError;
  }

  /** Returns immediately. */
  notify(): void {
    this.#isPending = true;
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#isPending) {
      this.#isPending = false;
      try {
        await this.#pool.query(this.#statement);
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#isSending = false;
  }
}
