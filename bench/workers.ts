import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FRAMES_CHANNEL } from '../packages/server/src/db/notifications.ts';
import { createDeployment, createTenantKey } from '../packages/server/test/support/deployment.ts';
import { createSandbox, type Sandbox } from '../packages/server/test/support/sandbox.ts';
import type { Service } from '../packages/server/test/support/service.ts';
import { type BenchFile, generateFile } from './generate-file.ts';
import { describeMachine, readMachine } from './machine.ts';
import { postFile } from './post-file.ts';
import { readCpuSeconds } from './process/process-stat.ts';

// `npm run bench:workers`: measures the throughput of the same queue with different numbers of worker processes.
const PROCESSES = [1, 2, 4];
const ROUNDS = 3;
const TENANTS = 4;
const RECORDS_PER_TENANT = 50_000;
const POLL_MS = 50;

interface Run {
  readonly processes: number;
  readonly seconds: number;
  /** CPU seconds of the worker processes and of their PostgreSQL backends. */
  readonly workerCpu: number;
  readonly databaseCpu: number;
}

const folder = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
const sandbox = createSandbox();
try {
  const file = await generateFile(folder, RECORDS_PER_TENANT);
  const host = await sandbox.startService({ SLUICE_WORKERS: '1' });
  console.log(`${describeMachine(await readMachine())}\n`);
  const runs: Run[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const processes of PROCESSES) runs.push(await drainQueue(sandbox, host, file, processes));
  }
  console.table(PROCESSES.map((processes) => row(processes, runs)));
} finally {
  await sandbox.clear();
  await rm(folder, { recursive: true, force: true });
}

/** Fills a queue in an empty database, then measures how long the given number of worker processes takes to drain it. */
async function drainQueue(sandbox: Sandbox, host: Service, file: BenchFile, processes: number): Promise<Run> {
  const { startApi, startWorker } = await createDeployment(sandbox, host);
  const api = await startApi();
  for (let tenant = 0; tenant < TENANTS; tenant++)
    await postFile({ url: api.url, key: await createTenantKey(api) }, file.path);
  // All processes must be running before the first frame can be claimed.
  await api.sql(`update frame_queue set available_at = 'infinity'`);
  const workers = await Promise.all(
    Array.from({ length: processes }, () => startWorker({ SLUICE_GC_INTERVAL_MINUTES: '0' })),
  );
  const pids = workers.map(({ pid }) => pid);
  const before = await readCpuSeconds(pids);
  const backendsBefore = await readCpuSeconds(await listWorkerBackends(api));
  await api.sql('update frame_queue set available_at = clock_timestamp()');
  await api.sql(`notify ${FRAMES_CHANNEL}`);
  const ended = async () => (await api.sql('select from ingestions where completed_at is null')).length === 0;
  while (!(await ended())) await sleep(POLL_MS);
  const [times] = await api.sql<{ seconds: number }>(
    'select extract(epoch from max(completed_at) - min(started_at))::float8 as seconds from ingestions',
  );
  const run = {
    processes,
    seconds: times?.seconds ?? Number.NaN,
    workerCpu: (await readCpuSeconds(pids)) - before,
    databaseCpu: (await readCpuSeconds(await listWorkerBackends(api))) - backendsBefore,
  };
  for (const worker of workers) {
    worker.signal('SIGTERM');
    await worker.exited;
  }
  await api.end();
  return run;
}

async function listWorkerBackends({ sql }: Service): Promise<number[]> {
  const rows = await sql<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'sluice worker'`,
  );
  return rows.map(({ pid }) => pid);
}

function row(processes: number, runs: readonly Run[]) {
  const matching = runs.filter((run) => run.processes === processes);
  const medianOf = (value: (run: Run) => number) => median(matching.map(value));
  const one = median(runs.filter((run) => run.processes === 1).map(({ seconds }) => seconds));
  const hundredThousands = (TENANTS * RECORDS_PER_TENANT) / 100_000;
  const seconds = medianOf((run) => run.seconds);
  return {
    'worker processes': processes,
    'records/s': Math.round((TENANTS * RECORDS_PER_TENANT) / seconds),
    'ratio to one process': round(one / seconds),
    'worker CPU seconds per 100,000 records': round(
      medianOf(({ workerCpu }) => workerCpu / hundredThousands),
    ),
    'PostgreSQL CPU seconds per 100,000 records': round(
      medianOf(({ databaseCpu }) => databaseCpu / hundredThousands),
    ),
    'cores busy': round(medianOf((run) => (run.workerCpu + run.databaseCpu) / run.seconds)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
