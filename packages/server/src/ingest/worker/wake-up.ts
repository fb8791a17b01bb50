import type pg from 'pg';

/** Wakes an idle worker on a notification, a lost connection or shutdown. */
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

  /** Call it before checking the queue: any later trigger ends the next wait. */
  reset(): void {
    this.#isTriggered = false;
  }

  async wait(ms: number): Promise<void> {
    if (this.#isTriggered || this.#signal.aborted) return;
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
    this.#signal.removeEventListener('abort', this.#trigger);
  }
}
