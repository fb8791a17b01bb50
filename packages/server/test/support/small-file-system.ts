import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallFileSystem {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** An in-memory file system that fills up quickly, or the reason why this user cannot mount one. */
export async function mountSmallFileSystem(
  size: string,
): Promise<SmallFileSystem | { readonly reason: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-small-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    return { reason: `no small file system can be mounted: ${String(error)}` };
  }
  const remove = async () => {
    // PostgreSQL removes its pid file shortly before it exits and stops using this folder.
    await run('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  };
  return { folder, remove };
}
