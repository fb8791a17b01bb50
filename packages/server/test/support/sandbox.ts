import { fileURLToPath } from 'node:url';
import { endPostmaster } from './postmaster.ts';
import { type Ended, type ProcessOptions, type StartedProcess, startProcess } from './process.ts';
import {
  type Environment,
  makeDataDir,
  removeData,
  type Service,
  settings,
  startEmbeddedService,
  startService,
} from './service.ts';

const BIN = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
/** Coverage is lost if a process is killed. */
const END = process.env.NODE_V8_COVERAGE === undefined ? 'SIGKILL' : 'SIGTERM';

type Start = (...given: Parameters<typeof startService>) => Promise<Service>;

/**
 * The processes and files of a test file. `clear` stops and removes everything, even after a failure. The sandbox can
 * be reused afterwards.
 */
export interface Sandbox {
  readonly newDataDir: () => Promise<string>;
  readonly startService: Start;
  /** Starts a service with the embedded PostgreSQL in the data directory. */
  readonly startEmbeddedService: Start;
  readonly startProcess: (file: string, args: readonly string[], options?: ProcessOptions) => StartedProcess;
  /** Starts `sluice ...` with the settings of a test. */
  readonly startSluice: (dataDir: string, args: readonly string[], own?: Environment) => StartedProcess;
  /** Runs `sluice ...` to completion, regardless of the exit code. */
  readonly sluice: (dataDir: string, args: readonly string[], own?: Environment) => Promise<Ended>;
  readonly clear: () => Promise<void>;
}

export function createSandbox(): Sandbox {
  const dataDirs: string[] = [];
  const services: Promise<Service>[] = [];
  const processes: StartedProcess[] = [];
  const startWith =
    (start: typeof startService): Start =>
    async (own, dataDir, args, stderr) => {
      const service = start(own, dataDir ?? (await sandbox.newDataDir()), args, stderr);
      services.push(service);
      return await service;
    };
  const sandbox: Sandbox = {
    newDataDir: async () => {
      const dataDir = await makeDataDir();
      dataDirs.push(dataDir);
      return dataDir;
    },
    startService: startWith(startService),
    startEmbeddedService: startWith(startEmbeddedService),
    startProcess: (file, args, options) => {
      const started = startProcess(file, args, options);
      processes.push(started);
      return started;
    },
    startSluice: (dataDir, args, own = {}) =>
      sandbox.startProcess(process.execPath, [BIN, ...args], { env: settings(dataDir, own) }),
    sluice: async (dataDir, args, own) => {
      const started = sandbox.startSluice(dataDir, args, own);
      // Otherwise, a service that unexpectedly starts would run forever.
      const stop = started.printed(/Sluice is ready/).then(
        () => started.signal('SIGTERM'),
        () => undefined,
      );
      const result = await started.ended;
      await stop;
      return result;
    },
    clear: async () => {
      // A service that did not start has already exited.
      for (const started of await Promise.allSettled(services.splice(0))) {
        if (started.status === 'fulfilled') await started.value.end(END);
      }
      for (const started of processes.splice(0)) {
        started.signalGroup('SIGKILL');
        await started.exited;
      }
      for (const dataDir of dataDirs.splice(0)) {
        await endPostmaster(dataDir);
        await removeData(dataDir);
      }
    },
  };
  return sandbox;
}
