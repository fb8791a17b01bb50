import { setTimeout as sleep } from 'node:timers/promises';
import type { StartedProcess } from '../support/process.ts';
import type { Faults } from './faults.ts';
import type { ServiceLog } from './service-log.ts';

const RESTART_DELAY_MS = 200;
/** PostgreSQL is already running at the first start, so a process that is not ready in time never will be. */
const FIRST_START_MS = 60_000;
const READY = /Sluice is ready (?:at (\S+)|with .*)\n/;

/** A service process that is restarted whenever it exits. */
export class SupervisedProcess {
  readonly name: string;
  readonly #startProcess: () => StartedProcess;
  readonly #faults: Faults;
  readonly #log: ServiceLog;
  #process: StartedProcess | undefined;
  #url: string | undefined;
  #supervision: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(name: string, start: () => StartedProcess, faults: Faults, log: ServiceLog) {
    this.name = name;
    this.#startProcess = start;
    this.#faults = faults;
    this.#log = log;
  }

  /** Whether the process has reported that it is ready and has not exited since. */
  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /** The URL of the API; undefined while the process is not ready. */
  get url(): string | undefined {
    return this.#url;
  }

  /** Resolves when the process is ready for the first time. Throws if that takes too long. */
  async start(): Promise<void> {
    await this.#startUntilReady(FIRST_START_MS);
    this.#supervision = this.#supervise();
  }

  /** Kills the running process with SIGKILL. Resolves once the process has exited. */
  async kill(): Promise<void> {
    const killed = this.#process;
    if (killed === undefined) throw new Error(`${this.name} is not running`);
    this.#clear();
    killed.signalGroup('SIGKILL');
    await killed.exited;
  }

  /** Kills the process and stops restarting it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#process?.signalGroup('SIGKILL');
    await this.#supervision;
  }

  async #supervise(): Promise<void> {
    while (!this.#stopped) {
      const running = this.#process;
      const code = await running?.exited;
      if (running !== undefined) this.#log.add((await running.ended).stderr);
      if (this.#stopped) return;
      // After a kill, `#process` is undefined.
      if (this.#process !== undefined) {
        this.#faults.add(
          `${this.name} exited unexpectedly with code ${code}: ${running?.output.stderr.slice(-2000)}`,
        );
        this.#clear();
      }
      await this.#startUntilReady();
    }
  }

  /** Retries, because a start fails while PostgreSQL is unavailable. */
  async #startUntilReady(timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
    for (const from = performance.now(); !this.#stopped; ) {
      const started = this.#startProcess();
      const ready = await started.printed(READY).catch(() => undefined);
      if (ready !== undefined) {
        this.#url = ready[1];
        this.#process = started;
        return;
      }
      started.signalGroup('SIGKILL');
      if (performance.now() - from > timeoutMs)
        throw new Error(`${this.name} failed to start: ${started.output.stderr.slice(-2000)}`);
      await sleep(RESTART_DELAY_MS);
    }
  }

  #clear(): void {
    this.#process = undefined;
    this.#url = undefined;
  }
}
