import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasCluster, oneAtATime } from './run-cluster.ts';

/**
 * Creates a folder that later runs reuse, unless it exists. `install` creates it under another name and returns the
 * reason if that fails. Other test files of the run that need the folder wait for the first one.
 */
export async function installOnce(
  folder: string,
  install: (building: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (existsSync(folder)) return undefined;
  const work = async () => {
    // Another test file may have installed it in the meantime.
    if (existsSync(folder)) return undefined;
    const building = `${folder}.${process.pid}`;
    await mkdir(path.dirname(folder), { recursive: true });
    try {
      const reason = await install(building);
      // Another run may have installed it in the meantime.
      if (reason === undefined && !existsSync(folder)) await rename(building, folder);
      return reason;
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  };
  return hasCluster() ? await oneAtATime(folder, work) : await work();
}
