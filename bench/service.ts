import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Client, createClient } from '../packages/server/test/support/client.ts';
import { type Service, startService } from '../packages/server/test/support/service.ts';

/** A service of its own for one measurement, on an empty database. */
export async function withService<Result>(
  work: (service: Service, client: Client) => Promise<Result>,
): Promise<Result> {
  const service = await startService({ SLUICE_UPLOAD_MAX_BYTES: String(16 * 2 ** 30) });
  try {
    return await work(service, createClient(service.url, service.key));
  } finally {
    await service.remove();
  }
}

export interface Ingested {
  readonly records: number;
  /** Seconds from the first byte sent to the 202, and to the end of the job. */
  readonly accepted: number;
  readonly ended: number;
  /** Peak resident memory of the service's process (API and workers, without PostgreSQL), in MiB. */
  readonly peakMiB: number;
}

/** Uploads a file, streamed from disk, and waits for the end of its job. */
export async function ingestFile(service: Service, client: Client, file: string): Promise<Ingested> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), 'bench.ocsf.json');
  const start = performance.now();
  const { status, body } = await client.send<{ id: string }>('/ingestions', { method: 'POST', body: form });
  if (status !== 202) throw new Error(`the upload was answered with ${status}: ${JSON.stringify(body)}`);
  const accepted = (performance.now() - start) / 1000;
  const job = await client.ended(body.data.id);
  const ended = (performance.now() - start) / 1000;
  const { total, processed, invalid } = job.attributes.summary;
  if (processed !== total || invalid !== 0)
    throw new Error(`the job ended with ${JSON.stringify(job.attributes)}`);
  return { records: total, accepted, ended, peakMiB: await peakMemory(service) };
}

async function peakMemory(service: Service): Promise<number> {
  const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
