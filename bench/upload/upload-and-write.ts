import type { Service } from '../../packages/server/test/support/service.ts';
import { type PlainReceiver, startPlainReceiver } from '../baselines/plain-receiver.ts';
import { assertSameDisk, writeDurably } from '../baselines/write-durably.ts';
import type { BenchFile } from '../generate-file.ts';
import { postFile } from '../post-file.ts';
import { readProcessStat } from '../process/process-stat.ts';
import { settle } from '../process/settle.ts';
import { readPeakMiB, readUsage, subtractUsage } from '../process/usage.ts';
import type { BenchContext } from '../suite.ts';

export type Receiver = Pick<Service, 'url' | 'key' | 'dataDir' | 'process' | 'end'>;

/** Durations in seconds: an upload to Sluice, writing the same bytes to disk, and uploads to a server that only writes or discards them. */
export interface UploadRound {
  readonly upload: number;
  readonly written: number;
  readonly received: number;
  readonly discarded: number;
  /** CPU time of the service in seconds, and its peak memory since its start in MiB. */
  readonly cpu: number;
  readonly peak: number;
  /** CPU time in seconds of the client, which runs on the same machine. */
  readonly clientCpu: number;
}

export interface Uploads {
  readonly format: 'none' | 'gzip' | 'zstd';
  readonly file: BenchFile;
  readonly rounds: readonly UploadRound[];
}

/** Alternates the order between rounds, so that neither side is always first. */
export async function uploadAndWrite(
  receiver: Receiver,
  file: string,
  { folder, rounds }: Pick<BenchContext, 'folder' | 'rounds'>,
): Promise<UploadRound[]> {
  await assertSameDisk(folder, receiver.dataDir);
  const plain = await startPlainReceiver(folder);
  try {
    const all: UploadRound[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = round % 2 === 0 ? undefined : await write(file, folder, plain);
      const uploaded = await upload(receiver, file);
      all.push({ ...uploaded, ...(before ?? (await write(file, folder, plain))) });
    }
    return all;
  } finally {
    await plain.stop();
  }
}

async function write(file: string, folder: string, { url, discardUrl }: PlainReceiver) {
  await settle(file);
  const written = await writeDurably(file, folder);
  const received = await send(file, url);
  return { written, received, discarded: await send(file, discardUrl) };
}

async function send(file: string, url: string): Promise<number> {
  await settle(file);
  const start = performance.now();
  await postFile({ url, key: '' }, file);
  return (performance.now() - start) / 1000;
}

async function upload(
  receiver: Receiver,
  file: string,
): Promise<Omit<UploadRound, 'written' | 'received' | 'discarded'>> {
  const { pid } = receiver.process;
  if (pid === undefined) throw new Error('The service is not running');
  await settle(file);
  const before = await readUsage([pid]);
  const clientBefore = (await readProcessStat('self')).endedChildrenCpuSeconds;
  const start = performance.now();
  await postFile(receiver, file);
  const seconds = (performance.now() - start) / 1000;
  return {
    upload: seconds,
    cpu: subtractUsage(before, await readUsage([pid])).cpuSeconds,
    peak: await readPeakMiB(pid),
    clientCpu: (await readProcessStat('self')).endedChildrenCpuSeconds - clientBefore,
  };
}
