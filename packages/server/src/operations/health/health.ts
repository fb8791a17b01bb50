import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Why the process cannot do its part: one sentence for whoever asks, without secrets. The cause is for the log. */
export class NotReady extends Error {}

/** Rejects with a NotReady where something is amiss. */
export type HealthCheck = () => Promise<void>;

/** A probe waits no longer than this, in milliseconds, for any check; most give up after two seconds or more. */
const PATIENCE_MS = 1700;

/** Whether this process can do its part of the service. */
export class Health {
  readonly #log: Logger;
  readonly #checks = new Map<string, HealthCheck>();
  #isStopping = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** From now on nobody should send anything here. */
  stop(): void {
    this.#isStopping = true;
  }

  /** By the name of the check: what is amiss; nothing where the process is ready. */
  async reasons(): Promise<Readonly<Record<string, string>>> {
    if (this.#isStopping) return { process: 'it is being stopped' };
    const asked = [...this.#checks].map(
      async ([name, check]) => [name, await this.#reason(name, check)] as const,
    );
    const answers = await Promise.all(asked);
    return Object.fromEntries(
      answers.flatMap(([name, reason]) => (reason === undefined ? [] : [[name, reason]])),
    );
  }

  async #reason(name: string, check: HealthCheck): Promise<string | undefined> {
    const answered = new AbortController();
    const late = sleep(PATIENCE_MS, undefined, { signal: answered.signal }).then(
      () => {
        throw new NotReady('it does not answer');
      },
      () => undefined,
    );
    try {
      await Promise.race([check(), late]);
      return undefined;
    } catch (error) {
      this.#log.warn({ err: error, check: name }, 'not ready');
      return error instanceof NotReady ? error.message : 'it cannot be checked';
    } finally {
      answered.abort();
    }
  }
}

/** The check with its answer kept for a while, so that many probes are one question; they share one that is under way. */
export function remembered(check: HealthCheck, ms: number): HealthCheck {
  let last: Promise<void> | undefined;
  return () => {
    if (last !== undefined) return last;
    const asked = check();
    last = asked;
    const forget = () => setTimeout(() => (last = undefined), ms).unref();
    asked.then(forget, forget);
    return asked;
  };
}
