import { setTimeout as sleep } from 'node:timers/promises';
import { createSandbox } from '../support/sandbox.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { checkFindings } from './check-findings.ts';
import { checkProviders } from './check-providers.ts';
import { checkUploads } from './check-uploads.ts';
import { Faults } from './faults.ts';
import { planKills } from './kill-plan.ts';
import { type KilledService, startKilledService } from './killed-service.ts';
import { type DoneKill, killAll } from './killer.ts';
import { planUpload, type UploadSizes } from './planned-upload.ts';
import { createTenantReader } from './tenant-reader.ts';
import { type SentUpload, uploadAgainAndAgain } from './uploader.ts';

export interface KillTest extends UploadSizes {
  readonly seed: number;
  readonly kills: number;
  /** Between two kills, in milliseconds. */
  readonly pauseMs: { readonly least: number; readonly most: number };
  readonly tenants: number;
  readonly uploadersPerTenant: number;
  readonly tell: (line: string) => void;
}

export interface KillReport {
  readonly seed: number;
  readonly kills: readonly DoneKill[];
  readonly sent: readonly SentUpload[];
  /** Of the uploads that nobody got an answer for: how many are jobs. */
  readonly unknownComplete: number;
  readonly records: number;
  readonly findings: number;
  readonly seconds: number;
  readonly faults: Faults;
}

/** How long the jobs may take when nothing is killed any more. */
const END_MS = 180_000;

/** Runs the service, uploads and kills at the same time, and then reads everything back. */
export async function runKillTest(test: KillTest): Promise<KillReport> {
  const { seed, tenants, uploadersPerTenant, tell } = test;
  const from = performance.now();
  const faults = new Faults();
  const sandbox = createSandbox();
  try {
    const service = await startKilledService(sandbox, tenants, faults);
    tell(`seed ${seed}: ${service.apis.length} API and ${service.workers.length} worker processes run`);
    const underWay = new Map<string, number>();
    const stop = new AbortController();
    const uploading = service.tenantKeys.map(async (key, tenant) => {
      let numbers = 0;
      const uploader = {
        service,
        key,
        faults,
        signal: stop.signal,
        underWay: (url: string, change: number) => underWay.set(url, (underWay.get(url) ?? 0) + change),
        next: () => ({ number: numbers, plan: planUpload(test, tenant, numbers++) }),
      };
      const sent = await Promise.all(
        Array.from({ length: uploadersPerTenant }, () => uploadAgainAndAgain(uploader)),
      );
      return sent.flat();
    });
    const plan = planKills(seed, test.kills, test.pauseMs);
    const uploadsAt = (url = '') => underWay.get(url) ?? 0;
    const kills = await killAll({ service, uploadsAt }, plan, ({ name, hitWork }) =>
      tell(`killed: ${name}${hitWork ? ', which was at work' : ''}`),
    );
    stop.abort();
    const sent = await Promise.all(uploading);
    tell('nothing is killed any more: waiting for the end of all jobs');
    await waitForJobs(service, faults);
    tell('reading everything back');
    let [records, findings, unknownComplete] = [0, 0, 0];
    for (const [tenant, key] of service.tenantKeys.entries()) {
      const reader = createTenantReader(await service.nextApi(), key);
      const ofTenant = sent[tenant] ?? [];
      const known = await checkUploads(
        reader,
        ofTenant,
        (number) => planUpload(test, tenant, number),
        faults,
      );
      findings += await checkFindings(reader, known, faults);
      await checkProviders(reader, known, faults);
      records += known.reduce((sum, { plan: { records } }) => sum + records.length, 0);
      unknownComplete += known.length - ofTenant.filter(({ outcome }) => outcome.kind === 'accepted').length;
    }
    await assertTrueCounts(service.database).catch((error: unknown) =>
      faults.add(`the kept counts: ${error}`),
    );
    await service.stop();
    const seconds = (performance.now() - from) / 1000;
    return { seed, kills, sent: sent.flat(), unknownComplete, records, findings, seconds, faults };
  } finally {
    await sandbox.clear();
  }
}

async function waitForJobs({ database, apis, workers }: KilledService, faults: Faults): Promise<void> {
  for (const from = performance.now(); performance.now() - from < END_MS; await sleep(200)) {
    const [left] = await database.sql<{ frames: number; jobs: number }>(
      `select (select count(*) from frame_queue)::int as frames,
         (select count(*) from ingestions where completed_at is null)::int as jobs`,
    );
    const allRun = [...apis, ...workers].every(({ isRunning }) => isRunning);
    if (left?.frames === 0 && left.jobs === 0 && allRun) return;
  }
  faults.add(`not all jobs have ended within ${END_MS / 1000} s, or a process has not come back`);
}
