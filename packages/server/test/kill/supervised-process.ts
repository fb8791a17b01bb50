import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from '../support/process.ts';
import type { Faults } from './faults.ts';
import type { ServiceLog } from './service-log.ts';

const START_AGAIN_MS = 200;
/** PostgreSQL is there when processes are started for the first time: one that is not ready by then never is. */
const FIRST_START_MS = 60_000;
const READY = /Sluice is ready (?:at (\S+)|with .*)\n/;

/** A process of the service and what looks after it: started again whenever it has ended, as an operator has it. */
export class SupervisedProcess {
  readonly name: string;
  readonly #begin: () => StartedProcess;
  readonly #faults: Faults;
  readonly #log: ServiceLog;
  #process: StartedProcess | undefined;
  #url: string | undefined;
  #keeping: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(name: string, begin: () => StartedProcess, faults: Faults, log: ServiceLog) {
    this.name = name;
    this.#begin = begin;
    this.#faults = faults;
    this.#log = log;
  }

  /** Whether it has said that it is ready and has not ended since. */
  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** Where it answers requests; undefined while it does not. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Resolves when it is ready for the first time; throws where that takes too long. */
  async start(): Promise<void> {
    await this.#startUntilReady(FIRST_START_MS);
    this.#keeping = this.#keep();
  }

  /** The process that runs is ended with SIGKILL; the next one is on its way when this resolves. */
  async kill(): Promise<void> {
    const killed = this.#process;
    if (killed === undefined) throw new Error(`${this.name} does not run`);
    this.#forget();
    killed.signalGroup('SIGKILL');
    await killed.exited;
  }

  /** From now on it is not started again. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#process?.signalGroup('SIGKILL');
    await this.#keeping;
  }

  async #keep(): Promise<void> {
    while (!this.#stopped) {
      const running = this.#process;
      const code = await running?.exited;
      if (running !== undefined) this.#log.add((await running.ended).stderr);
      if (this.#stopped) return;
      // A kill has forgotten it before.
      if (this.#process !== undefined) {
        this.#faults.add(
          `${this.name} ended by itself with code ${code}: ${running?.output.stderr.slice(-2000)}`,
        );
        this.#forget();
      }
      await this.#startUntilReady();
    }
  }

  /** A start while PostgreSQL is away fails, and says so. */
  async #startUntilReady(patienceMs = Number.POSITIVE_INFINITY): Promise<void> {
    for (const from = performance.now(); !this.#stopped; ) {
      const started = this.#begin();
      const ready = await started.printed(READY).catch(() => undefined);
      if (ready !== undefined) {
        this.#url = ready[1];
        this.#process = started;
        return;
      }
      started.signalGroup('SIGKILL');
      if (performance.now() - from > patienceMs)
        throw new Error(`${this.name} does not start: ${started.output.stderr.slice(-2000)}`);
      await sleep(START_AGAIN_MS);
    }
  }

  #forget(): void {
    this.#process = undefined;
    this.#url = undefined;
  }
}
