import type { Service } from '../../packages/server/test/support/service.ts';
import type { BenchFile } from '../files.ts';
import { peakMiB, usageBetween, usageOf } from '../process/usage.ts';
import { postFile } from '../service.ts';
import type { BenchContext } from '../suite.ts';
import { assertSameDisk, settleFile, writeDurably } from '../yardsticks/write-durably.ts';

export type Receiver = Pick<Service, 'url' | 'key' | 'dataDir' | 'process' | 'end'>;

/** One upload and one writing of the same bytes, one after the other. */
export interface UploadRound {
  readonly upload: number;
  readonly written: number;
  /** Of the receiving process, in seconds, and since it has started, in MiB. */
  readonly cpu: number;
  readonly peak: number;
  /** Of the client, which shares the machine. */
  readonly clientCpu: number;
}

export interface Uploads {
  readonly format: 'none' | 'gzip' | 'zstd';
  readonly file: BenchFile;
  readonly rounds: readonly UploadRound[];
}

/** Every other round begins with the other of the two, so that neither is always the first. */
export async function uploadAndWrite(
  receiver: Receiver,
  file: string,
  { folder, rounds }: Pick<BenchContext, 'folder' | 'rounds'>,
): Promise<UploadRound[]> {
  await assertSameDisk(folder, receiver.dataDir);
  await settleFile(file);
  const all: UploadRound[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = round % 2 === 0 ? undefined : await writeDurably(file, folder);
    const uploaded = await upload(receiver, file);
    all.push({ ...uploaded, written: before ?? (await writeDurably(file, folder)) });
  }
  return all;
}

async function upload(receiver: Receiver, file: string): Promise<Omit<UploadRound, 'written'>> {
  const { pid } = receiver.process;
  if (pid === undefined) throw new Error('the process that receives uploads has not been started');
  const before = await usageOf([pid]);
  const clientBefore = process.cpuUsage();
  const start = performance.now();
  await postFile(receiver, file);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(clientBefore);
  return {
    upload: seconds,
    cpu: usageBetween(before, await usageOf([pid])).cpuSeconds,
    peak: await peakMiB(pid),
    clientCpu: (user + system) / 1e6,
  };
}
