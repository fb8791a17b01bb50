import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { signalTo } from './process.ts';
import { until } from './until.ts';

/** Returns the process ID of the embedded PostgreSQL in this data directory; `undefined` if it is not running. */
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

/** Stops the embedded PostgreSQL immediately, if it is running. */
export async function endPostmaster(dataDir: string): Promise<void> {
  const pid = await postmasterOf(dataDir);
  if (pid === undefined || !signalTo(pid, 'SIGQUIT')) return;
  // PostgreSQL removes this file last; a killed postmaster leaves it behind.
  await until(async () => (await postmasterOf(dataDir)) === undefined || !signalTo(pid, 0));
}
