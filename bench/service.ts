import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '../packages/server/test/support/client.ts';
import { type Environment, type Service, startService } from '../packages/server/test/support/service.ts';
import { NO_SIZE_LIMITS } from './no-size-limits.ts';
import { postFile } from './post-file.ts';
import { readPeakMiB } from './process/usage.ts';

/** A long interval, because polls take CPU time from the measured service. */
const POLL_MS = 100;

/** Runs `work` with a new service on an empty database. */
export async function withService<Result>(
  work: (service: Service, client: Client) => Promise<Result>,
  environment: Environment = {},
): Promise<Result> {
  const service = await startService({ NODE_ENV: 'production', ...NO_SIZE_LIMITS, ...environment });
  try {
    return await work(service, createClient(service.url, service.key));
  } finally {
    await service.remove();
  }
}

export interface Ingested {
  readonly records: number;
  /** Seconds from the first byte sent to the 202 response, and to the completion of the job. */
  readonly accepted: number;
  readonly ended: number;
  /** Peak resident memory of the service process (API and workers, without PostgreSQL), in MiB. */
  readonly peakMiB: number;
}

/** Uploads a file and waits for its job to complete. */
export async function ingestFile(service: Service, client: Client, file: string): Promise<Ingested> {
  const start = performance.now();
  const id = await postFile(service, file);
  const accepted = (performance.now() - start) / 1000;
  const records = await waitForJob(client, id);
  const ended = (performance.now() - start) / 1000;
  return { records, accepted, ended, peakMiB: await readPeakMiB(pidOf(service)) };
}

/**
 * Waits without a timeout for a job to complete, and returns its record count. Throws if a record was invalid or not
 * processed.
 */
export async function waitForJob(client: Client, id: string): Promise<number> {
  for (;;) {
    const { body } = await client.get(`/ingestions/${id}`);
    const { completed_at, summary } = body.data.attributes;
    if (completed_at === null) {
      await sleep(POLL_MS);
      continue;
    }
    if (summary.processed === summary.total && summary.invalid === 0) return summary.total;
    throw new Error(`The job ended with ${JSON.stringify(body.data.attributes)}`);
  }
}

/** Returns the process ID of the service. */
export function pidOf({ process }: Service): number {
  if (process.pid === undefined) throw new Error('The service is not running');
  return process.pid;
}
