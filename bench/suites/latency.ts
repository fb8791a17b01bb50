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

/** Size of the load, as a multiple of the smallest record count. */
const LOAD_MULTIPLE = 2;
const IDLE_UPLOADS = 100;
const IDLE_POLLS = 500;

/** Small uploads and status polls, idle and under load, compared with a handler that returns the same bytes without any work. */
export const LATENCY: Suite = {
  name: 'latency',
  run: async ({ folder, rounds, records }) => {
    const load = await generateFile(folder, LOAD_MULTIPLE * Math.min(...records));
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
        [`other tenant ingests ${load.records} records`, loaded],
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
      describeTimes({ measured: 'POST to completed, client clock', load, ms, plain }),
      describeTimes({
        measured: 'POST to 202',
        load,
        ms: uploads.map(({ acceptedMs }) => acceptedMs),
        plain: plainUploads.map(({ acceptedMs }) => acceptedMs),
      }),
      describeTimes({
        measured: '202 to completed, database clock',
        load,
        ms: await readProcessingTimes(service, uploads),
      }),
      describeTimes({ measured: 'plain handler: POST and one poll', load, ms: plain }),
    );
  }
  return { title: `latency: sequential uploads of ${SMALL_RECORDS} records; all ${rounds} rounds`, rows };
}

function describePolls(samples: Samples, rounds: number): Result {
  const rows = samples.flatMap(([load, { polls: ms, plainPolls: plain }]) => [
    describeTimes({ measured: 'status poll', load, ms, plain }),
    describeTimes({ measured: 'plain handler', load, ms: plain }),
  ]);
  return { title: `latency: status polls; all ${rounds} rounds`, rows };
}

/** Milliseconds from `inserted_at`, which is set just before the 202 response, to `completed_at`. */
async function readProcessingTimes({ sql }: Service, uploads: readonly SmallUpload[]): Promise<number[]> {
  const rows = await sql<{ ms: number }>(
    `select extract(epoch from completed_at - inserted_at)::float8 * 1000 as ms from ingestions
     where id = any($1)`,
    [uploads.map(({ id }) => id)],
  );
  return rows.map(({ ms }) => ms);
}
