import type pg from 'pg';

/** What a worker sleeps on when there is nothing to do: rung by a notification, a lost connection or the stop. */
export class WakeUp {
  #rung = false;
  #wake: (() => void) | undefined;
  readonly #signal: AbortSignal;
  readonly #ring = () => this.ring();

  constructor(client: pg.Client, signal: AbortSignal) {
    this.#signal = signal;
    client.on('notification', this.#ring);
    signal.addEventListener('abort', this.#ring);
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** To be called before the look at the queue: what rings from here on ends the next wait. */
  reset(): void {
    this.#rung = false;
  }

  async wait(ms: number): Promise<void> {
    if (this.#rung || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#ring);
  }
}
