import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder on a separate file system that can be unmounted and mounted again. */
export interface MountedFolder {
  readonly folder: string;
  readonly unmount: () => Promise<void>;
  readonly mount: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** The reason why this user cannot mount file systems, if any. */
export async function mountFolder(): Promise<MountedFolder | { readonly reason: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-mounted-'));
  const content = await mkdtemp(path.join(tmpdir(), 'sluice-content-'));
  let isMounted = false;
  const mount = async () => {
    await run('mount', ['--bind', content, folder]);
    isMounted = true;
  };
  // Open files do not prevent unmounting, as when a disk is disconnected.
  const unmount = async () => {
    await run('umount', ['--lazy', folder]);
    isMounted = false;
  };
  const clear = async () => {
    for (const each of [folder, content]) await rm(each, { recursive: true });
  };
  try {
    await mount();
  } catch (error) {
    await clear();
    return { reason: `file systems cannot be mounted: ${String(error)}` };
  }
  return {
    folder,
    mount,
    unmount,
    remove: async () => {
      // A failed test may have left the folder unmounted.
      if (isMounted) await unmount();
      await clear();
    },
  };
}
