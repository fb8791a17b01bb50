import type pg from 'pg';

/** The notification channel for frames that can be claimed. */
export const FRAMES_CHANNEL = 'sluice_frames';

/** The notification channel for deleted providers whose rows have to be removed. */
export const REMOVALS_CHANNEL = 'sluice_removals';

/** The notification channel for deliveries of webhooks that a request has queued. */
export const WEBHOOKS_CHANNEL = 'sluice_webhooks';

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

/** Wakes an idle listener on a notification, a lost connection or shutdown. */
export class WakeUp {
  #isTriggered = false;
  #wake: (() => void) | undefined;
  readonly #signal: AbortSignal;
  readonly #trigger = () => this.trigger();

  constructor(client: pg.Client, signal: AbortSignal) {
    this.#signal = signal;
    client.on('notification', this.#trigger);
    signal.addEventListener('abort', this.#trigger);
  }

  trigger(): void {
    this.#isTriggered = true;
    this.#wake?.();
  }

  /** Call it before checking for work: any later trigger ends the next wait. */
  reset(): void {
    this.#isTriggered = false;
  }

  /** Resolves after a trigger or the timeout. Returns whether there was a trigger. */
  async wait(ms: number): Promise<boolean> {
    if (this.#isTriggered || this.#signal.aborted) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
    return this.#isTriggered;
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#trigger);
  }
}
