import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../error-code.ts';

/** No initdb takes this long: an unfinished folder of this age is of a start that was killed. */
const abandonedAfterMs = 10 * 60 * 1000;

/** The prefix of the names under which clusters are made. */
export function unfinishedPrefix(folder: string): string {
  return `${folder}.new-`;
}

/** Removes the unfinished clusters that killed first starts left beside the cluster folder. */
export async function removeAbandonedClusters(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(unfinishedPrefix(folder)))) continue;
    const path = join(parent, name);
    if (Date.now() - (await madeAtMs(path)) > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}

/** When a folder was made; infinity when the process that made it has just finished with it. */
async function madeAtMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Number.POSITIVE_INFINITY;
    throw error;
  }
}
