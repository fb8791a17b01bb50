import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchFile, generateFile } from './files.ts';
import { describeMachine } from './machine.ts';
import { type Ingested, ingestFile, withService } from './service.ts';
import { smallUploads } from './small-uploads.ts';
import { percentile, pollDuring } from './status-latency.ts';
import { copyRawRecords, parseWholeFile, type Yardstick } from './yardsticks.ts';

const RECORDS = 100_000;
const SMALL_UPLOADS = 100;
const NEXT_SCAN = 1_785_628_800;

const folder = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
try {
  await ingestAgainstYardsticks();
  await growth();
  await memory();
  await statusDuringIngestion();
  await smallUploadLatency();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The whole way of a file, new and again, beside what the same bytes cost otherwise on the same machine. */
async function ingestAgainstYardsticks(): Promise<void> {
  const file = await generateFile(folder, RECORDS);
  const again = await generateFile(folder, RECORDS, { time: NEXT_SCAN });
  await withService(async (service, client) => {
    const [version] = await service.sql<{ server_version: string }>('show server_version');
    console.log(`${describeMachine(version?.server_version ?? '?')}\n`);
    const fresh = await ingestFile(service, client, file.path);
    const repeated = await ingestFile(service, client, again.path);
    const copied = await copyRawRecords(service, file.path);
    const parsed = await parseWholeFile(file.path);
    const row = (what: string, { records, seconds, peakMiB }: Yardstick) => ({
      what,
      s: round(seconds),
      'records/s': Math.round(records / seconds),
      'MB/s': round(file.bytes / 1e6 / seconds),
      'times COPY': round(copied.seconds / seconds),
      'peak MiB': peakMiB === undefined ? '-' : Math.round(peakMiB),
    });
    const ingested = ({ records, ended, peakMiB }: Ingested) => ({ records, seconds: ended, peakMiB });
    console.log(
      `${RECORDS} records, ${round(file.bytes / 1e6)} MB, from the start of the upload to the end of the job`,
    );
    console.table([
      row('ingest, new findings', ingested(fresh)),
      row('ingest, the same findings again', ingested(repeated)),
      row('COPY of the raw records into a bare jsonb table', copied),
      row('JSON.parse of the whole file', parsed),
    ]);
  });
  await rm(file.path);
  await rm(again.path);
}

/** Ten times the records should take ten times as long. Both runs on an empty service of their own. */
async function growth(): Promise<void> {
  const seconds: number[] = [];
  for (const records of [RECORDS / 10, RECORDS, RECORDS * 10]) {
    const file = await generateFile(folder, records, { indent: 0 });
    const run = await withService((service, client) => ingestFile(service, client, file.path));
    seconds.push(run.ended);
    await rm(file.path);
  }
  const rows = seconds.map((time, at) => ({
    records: (RECORDS / 10) * 10 ** at,
    s: round(time),
    'times the row above': at === 0 ? '-' : round(time / (seconds[at - 1] ?? Number.NaN)),
  }));
  console.log('growth: ten times the records (compact JSON)');
  console.table(rows);
}

/** Peak memory of the service, by size of the file. */
async function memory(): Promise<void> {
  const rows: Record<string, unknown>[] = [];
  for (const megabytes of [100, 1000]) {
    const file: BenchFile = await generateFile(folder, Math.round((megabytes * 1e6) / 3790));
    const { records, accepted, ended, peakMiB } = await withService((service, client) =>
      ingestFile(service, client, file.path),
    );
    rows.push({
      'file MB': Math.round(file.bytes / 1e6),
      records,
      'upload s': round(accepted),
      'end s': round(ended),
      'records/s': Math.round(records / ended),
      'peak MiB': Math.round(peakMiB),
    });
    await rm(file.path);
  }
  console.log("memory: peak of the service's process");
  console.table(rows);
}

/** How long the status endpoint takes to answer while an ingestion runs, upload included. */
async function statusDuringIngestion(): Promise<void> {
  const file = await generateFile(folder, RECORDS);
  const times = await withService(async (service, client) => {
    const { body } = await client.upload([]);
    return await pollDuring(client, `/ingestions/${body.data.id}`, ingestFile(service, client, file.path));
  });
  console.log(`status endpoint while ${RECORDS} records are uploaded and processed`);
  console.table([{ requests: times.length, ...latencies(times) }]);
}

/** How soon after its 202 a small upload is done, on an idle service. */
async function smallUploadLatency(): Promise<void> {
  const times = await withService((service, client) => smallUploads(service, client, SMALL_UPLOADS));
  console.log(`${SMALL_UPLOADS} uploads of 4 records, one after another: from the 202 to the end of the job`);
  console.table([latencies(times)]);
}

/** Sorted times in ms, as a row of a table. */
function latencies(times: readonly number[]): Record<string, number> {
  return {
    'median ms': round(percentile(times, 0.5)),
    'p99 ms': round(percentile(times, 0.99)),
    'max ms': round(times.at(-1) ?? Number.NaN),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
