import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../support/sandbox.ts';
import type { KilledDatabase } from './database.ts';
import { Faults } from './faults.ts';
import { planKills } from './kill-plan.ts';
import { type KilledService, startKilledService } from './killed-service.ts';
import { type CompletedKill, killAll } from './killer.ts';
import { planUpload, type UploadSizes } from './planned-upload.ts';
import { type ReadBack, readBack } from './read-back.ts';
import { ServiceLog } from './service-log.ts';
import { uploadDuringKills } from './upload-during-kills.ts';
import type { SentUpload } from './uploader.ts';

export interface KillTest extends UploadSizes {
  readonly seed: number;
  readonly kills: number;
  /** Of each kill, to hit work in progress. */
  readonly attempts: number;
  /** Milliseconds between kills. */
  readonly pauseMs: { readonly least: number; readonly most: number };
  readonly tenants: number;
  readonly startDatabase: (dataDir: string) => Promise<KilledDatabase>;
  readonly uploadersPerTenant: number;
  readonly print: (line: string) => void;
}

export interface KillReport extends ReadBack {
  readonly seed: number;
  readonly kills: readonly CompletedKill[];
  readonly sent: readonly SentUpload[];
  readonly seconds: number;
  readonly faults: Faults;
  /** The service log, for analyzing faults. */
  readonly log: ServiceLog;
}

/** Maximum time, in milliseconds, for all jobs to end after the last kill. */
const END_MS = 180_000;

/** Runs the service in the sandbox with concurrent uploads and kills, and then reads everything back. */
export async function runKillTest(test: KillTest, sandbox: Sandbox): Promise<KillReport> {
  const { seed, print } = test;
  const from = performance.now();
  const faults = new Faults();
  const log = new ServiceLog();
  const service = await startKilledService(sandbox, test.startDatabase, test.tenants, faults, log);
  let isFinished = false;
  try {
    print(
      `seed ${seed}: ${service.apis.length} API and ${service.workers.length} worker processes are running`,
    );
    const planOf = (tenant: number, number: number) => planUpload(test, tenant, number);
    const uploads = uploadDuringKills(service, test.uploadersPerTenant, planOf, faults);
    const plan = planKills(seed, test.kills, test.pauseMs, service.database.nodes.length > 0);
    const kills = await killAll(
      { service, uploadsAt: uploads.at },
      plan,
      test.attempts,
      ({ name, hitWork }) => print(`killed: ${name}${hitWork ? ', which had work in progress' : ''}`),
    );
    const sent = await uploads.stop();
    print('all kills done; waiting for all jobs to end');
    await waitForJobs(service, faults);
    print('reading everything back');
    const read = await readBack(service, sent, planOf, faults);
    const seconds = (performance.now() - from) / 1000;
    isFinished = true;
    return { seed, kills, sent: sent.flat(), ...read, seconds, faults, log };
  } finally {
    await service.stop();
    if (!isFinished) for (const line of log.lines()) print(line);
  }
}

async function waitForJobs({ database, apis, workers }: KilledService, faults: Faults): Promise<void> {
  for (const from = performance.now(); performance.now() - from < END_MS; await sleep(200)) {
    const [pending] = await database.sql<{ frames: number; jobs: number }>(
      // On a cluster, an upload that was killed before its job existed leaves rows in the queue for an hour.
      `select (select count(*) from frame_queue where ingestion_id in (select id from ingestions))::int as frames,
         (select count(*) from ingestions where completed_at is null)::int as jobs`,
    );
    const allRunning = [...apis, ...workers].every(({ isRunning }) => isRunning);
    if (pending?.frames === 0 && pending.jobs === 0 && allRunning) return;
  }
  faults.add(`not all jobs ended within ${END_MS / 1000} s, or a process did not restart`);
}
