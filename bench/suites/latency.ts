import { rm } from 'node:fs/promises';
import { createSandbox } from '../../packages/server/test/support/sandbox.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { generateFile } from '../generate-file.ts';
import { describeTimes } from '../latency/describe-times.ts';
import { emptySample, type Sample, startLatencyMeter, warmUp } from '../latency/latency-meter.ts';
import { runDuringIngestion } from '../latency/run-during-ingestion.ts';
import { SMALL_RECORDS, type SmallUpload } from '../latency/small-upload.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import type { Result, Suite } from '../suite.ts';

/** The load's file in files of the smallest size. */
const LOAD_FILES = 2;
const IDLE_UPLOADS = 100;
const IDLE_POLLS = 500;

/** Small uploads and status polls, idle and under load, beside a handler that says the same without any work. */
export const LATENCY: Suite = {
  name: 'latency',
  run: async ({ folder, rounds, records }) => {
    const load = await generateFile(folder, LOAD_FILES * Math.min(...records));
    const sandbox = createSandbox();
    try {
      const service = await sandbox.startService(NO_SIZE_LIMITS);
      const meter = await startLatencyMeter(service);
      const idle = emptySample();
      const loaded = emptySample();
      try {
        await warmUp(meter);
        for (let round = 0; round < rounds; round++) {
          for (let upload = 0; upload < IDLE_UPLOADS; upload++) await meter.upload(idle);
          for (let poll = 0; poll < IDLE_POLLS; poll++) await meter.poll(idle);
          await runDuringIngestion(sandbox, service, load.path, () => meter.upload(loaded));
          await runDuringIngestion(sandbox, service, load.path, () => meter.poll(loaded));
        }
      } finally {
        await meter.stop();
      }
      const samples = [
        ['idle', idle],
        [`another tenant ingests ${load.records} records`, loaded],
      ] as const;
      return [await describeUploads(service, samples, rounds), describePolls(samples, rounds)];
    } finally {
      await sandbox.clear();
      await rm(load.path);
    }
  },
};

type Samples = readonly (readonly [load: string, sample: Sample])[];

async function describeUploads(service: Service, samples: Samples, rounds: number): Promise<Result> {
  const rows = [];
  for (const [load, { uploads, plainUploads }] of samples) {
    const ms = uploads.map(({ completedMs }) => completedMs);
    const plain = plainUploads.map(({ completedMs }) => completedMs);
    rows.push(
      describeTimes({ what: 'POST to completed, as its client sees it', load, ms, plain }),
      describeTimes({
        what: 'of which POST to 202',
        load,
        ms: uploads.map(({ acceptedMs }) => acceptedMs),
        plain: plainUploads.map(({ acceptedMs }) => acceptedMs),
      }),
      describeTimes({
        what: '202 to completed, by the clock of the database',
        load,
        ms: await processed(service, uploads),
      }),
      describeTimes({ what: 'plain handler: POST and one poll', load, ms: plain }),
    );
  }
  return { title: `Uploads of ${SMALL_RECORDS} records, one after another; ${rounds} rounds together`, rows };
}

function describePolls(samples: Samples, rounds: number): Result {
  const rows = samples.flatMap(([load, { polls: ms, plainPolls: plain }]) => [
    describeTimes({ what: 'status poll', load, ms, plain }),
    describeTimes({ what: 'plain handler', load, ms: plain }),
  ]);
  return { title: `Status polls; ${rounds} rounds together`, rows };
}

/** From `inserted_at`, taken just before the 202, to `completed_at`. */
async function processed({ sql }: Service, uploads: readonly SmallUpload[]): Promise<number[]> {
  const rows = await sql<{ ms: number }>(
    `select extract(epoch from completed_at - inserted_at)::float8 * 1000 as ms from ingestions
     where id = any($1)`,
    [uploads.map(({ id }) => id)],
  );
  return rows.map(({ ms }) => ms);
}
