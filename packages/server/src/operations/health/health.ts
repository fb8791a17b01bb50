import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Why the process cannot do its part: one sentence for whoever asks, without secrets. The cause is for the log. */
export class NotReady extends Error {}

/** Rejects with a NotReady where something is amiss. */
export type HealthCheck = () => Promise<void>;

/** A probe waits no longer than this, in milliseconds, for any check; most give up after two seconds or more. */
const PATIENCE_MS = 1700;
/** What was amiss is asked for again soon, so that readiness is back when the thing is. */
const FAILURE_REMEMBERED_MS = 500;
const STOPPING = 'it is being stopped';

/** Whether this process can do its part of the service. */
export class Health {
  readonly #log: Logger;
  readonly #checks = new Map<string, HealthCheck>();
  /** What the log has last been told of a check that fails: probes come every few seconds, and an outage may be long. */
  readonly #told = new Map<string, string>();
  /** Why nothing should be sent here, whatever the checks say: it is not all there yet, or not for long. */
  #transition: string | undefined = 'it is being started';

  constructor(log: Logger) {
    this.#log = log;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** All parts are there; from now on the checks decide. */
  started(): void {
    this.#transition = undefined;
  }

  /** From now on nobody should send anything here. */
  stop(): void {
    this.#transition = STOPPING;
  }

  /** Whether the process is shutting down. */
  get isStopping(): boolean {
    return this.#transition === STOPPING;
  }

  /** By the name of the check: what is amiss; nothing where the process is ready. */
  async reasons(): Promise<Readonly<Record<string, string>>> {
    if (this.#transition !== undefined) return { process: this.#transition };
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
      if (this.#told.delete(name)) this.#log.info({ check: name }, 'ready again');
      return undefined;
    } catch (error) {
      const reason = error instanceof NotReady ? error.message : 'it cannot be checked';
      if (this.#told.get(name) !== reason) this.#log.warn({ err: error, check: name }, 'not ready');
      this.#told.set(name, reason);
      return reason;
    } finally {
      answered.abort();
    }
  }
}

/**
 * The check with its answer kept for a while, a failure only briefly, so that many probes are one question; they share one
 * that is under way.
 */
export function remembered(check: HealthCheck, ms: number): HealthCheck {
  let last: Promise<void> | undefined;
  return () => {
    if (last !== undefined) return last;
    const asked = check();
    last = asked;
    const forgetAfter = (kept: number) => () => setTimeout(() => (last = undefined), kept).unref();
    asked.then(forgetAfter(ms), forgetAfter(Math.min(ms, FAILURE_REMEMBERED_MS)));
    return asked;
  };
}
