import { createClient } from '../../packages/server/test/support/client.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { postFile } from '../post-file.ts';
import { findPostmaster, postgresUsage } from '../process/postgres-usage.ts';
import { readProcessStat, readThreadStats } from '../process/process-stat.ts';
import { settle } from '../process/settle.ts';
import { pidOf, waitForJob } from '../service.ts';

/** A phase of an ingestion: its duration and the CPU time of each participant, in seconds. */
export interface Phase {
  readonly seconds: number;
  /** The keys are the thread names of the service, `POSTGRESQL`, and `CLIENT`. */
  readonly cpuSeconds: ReadonlyMap<string, number>;
}

export interface IngestProfile {
  /** From the first byte sent to the 202 response. */
  readonly upload: Phase;
  /** From the 202 response to the completion of the job. */
  readonly work: Phase;
}

export const POSTGRESQL = 'PostgreSQL';
export const CLIENT = 'curl, status polls';

/** Ingests a file and returns the CPU time of each thread and process. */
export async function profileIngestion(service: Service, file: string): Promise<IngestProfile> {
  const postmaster = await findPostmaster(service);
  await service.sql('checkpoint');
  await settle(file);
  const client = createClient(service.url, service.key);
  const started = await readTotals(service, postmaster);
  const id = await postFile(service, file);
  const accepted = await readTotals(service, postmaster);
  await waitForJob(client, id);
  const ended = await readTotals(service, postmaster);
  return { upload: between(started, accepted), work: between(accepted, ended) };
}

/** Returns the current clock value and the CPU time used so far. */
async function readTotals(service: Service, postmaster: number): Promise<Phase> {
  const cpuSeconds = new Map<string, number>();
  for (const thread of await readThreadStats(pidOf(service)))
    cpuSeconds.set(thread.name, (cpuSeconds.get(thread.name) ?? 0) + thread.cpuSeconds);
  cpuSeconds.set(POSTGRESQL, (await postgresUsage(postmaster)).cpuSeconds);
  const client = await readProcessStat('self');
  cpuSeconds.set(CLIENT, client.cpuSeconds + client.endedChildrenCpuSeconds);
  return { seconds: performance.now() / 1000, cpuSeconds };
}

/** Subtracts two readings. Omits terminated threads; no thread terminates during an ingestion. */
function between(before: Phase, after: Phase): Phase {
  const cpuSeconds = [...after.cpuSeconds].map(
    ([name, seconds]) => [name, seconds - (before.cpuSeconds.get(name) ?? 0)] as const,
  );
  return { seconds: after.seconds - before.seconds, cpuSeconds: new Map(cpuSeconds) };
}
