import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { signalTo } from './process.ts';
import { until } from './until.ts';

/** The process id of the embedded PostgreSQL of this data directory; undefined when none runs. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  try {
    const [pid] = (await readFile(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split(
      '\n',
    );
    return Number(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** Ends it without a care for the data; fine where none runs. */
export async function endPostmaster(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir);
  if (pid === undefined || !signalTo(pid, 'SIGQUIT')) return;
  // Its file is the last that it removes; one that was killed has left it.
  await until(async () => (await postmasterOf(dataDir)) === undefined || !signalTo(pid, 0));
}
