import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../lib/error-code.ts';

/** No initdb takes this long: an older unfinished folder belongs to a killed process. */
const abandonedAfterMs = 10 * 60 * 1000;

/** The prefix of the temporary names under which clusters are created. */
export function unfinishedPrefix(folder: string): string {
  return `${folder}.new-`;
}

/** Removes unfinished clusters next to the cluster folder, which remain if a first start is interrupted. */
export async function removeAbandonedClusters(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(unfinishedPrefix(folder)))) continue;
    const path = join(parent, name);
    if (Date.now() - (await createdAtMs(path)) > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}

/** Returns the creation time of a folder, or infinity if the process that created it has just renamed or removed it. */
async function createdAtMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Number.POSITIVE_INFINITY;
    throw error;
  }
}
