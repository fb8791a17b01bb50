import { createClient } from '../../packages/server/test/support/client.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { postFile } from '../post-file.ts';
import { findPostmaster, postgresUsage } from '../process/postgres-usage.ts';
import { readProcessStat, readThreadStats } from '../process/process-stat.ts';
import { settle } from '../process/settle.ts';
import { pidOf, waitForJob } from '../service.ts';

/** One part of an ingestion: how long it took, and the processor time of those who worked meanwhile; in seconds. */
export interface Phase {
  readonly seconds: number;
  /** By the name of a thread of the service, `POSTGRESQL` and `CLIENT`. */
  readonly cpuSeconds: ReadonlyMap<string, number>;
}

export interface IngestProfile {
  /** From the first byte sent to the 202. */
  readonly upload: Phase;
  /** From there to the end of the job. */
  readonly work: Phase;
}

export const POSTGRESQL = 'PostgreSQL';
export const CLIENT = 'curl, status polls';

/** Ingests a file, and tells which threads and processes have used how much of the processors. */
export async function profileIngestion(service: Service, file: string): Promise<IngestProfile> {
  const postmaster = await findPostmaster(service);
  await service.sql('checkpoint');
  await settle(file);
  const client = createClient(service.url, service.key);
  const begun = await readSoFar(service, postmaster);
  const id = await postFile(service, file);
  const accepted = await readSoFar(service, postmaster);
  await waitForJob(client, id);
  const ended = await readSoFar(service, postmaster);
  return { upload: between(begun, accepted), work: between(accepted, ended) };
}

/** All that was used so far, as one phase from the beginning of the clock. */
async function readSoFar(service: Service, postmaster: number): Promise<Phase> {
  const cpuSeconds = new Map<string, number>();
  for (const thread of await readThreadStats(pidOf(service)))
    cpuSeconds.set(thread.name, (cpuSeconds.get(thread.name) ?? 0) + thread.cpuSeconds);
  cpuSeconds.set(POSTGRESQL, (await postgresUsage(postmaster)).cpuSeconds);
  const client = await readProcessStat('self');
  cpuSeconds.set(CLIENT, client.cpuSeconds + client.endedChildrenCpuSeconds);
  return { seconds: performance.now() / 1000, cpuSeconds };
}

/** A thread that has ended meanwhile is left out: none does in an ingestion. */
function between(before: Phase, after: Phase): Phase {
  const cpuSeconds = [...after.cpuSeconds].map(
    ([name, seconds]) => [name, seconds - (before.cpuSeconds.get(name) ?? 0)] as const,
  );
  return { seconds: after.seconds - before.seconds, cpuSeconds: new Map(cpuSeconds) };
}
