import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A folder whose content is on another file system, which can be taken away and brought back. */
export interface MountedFolder {
  readonly folder: string;
  readonly unmount: () => Promise<void>;
  readonly mount: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Where this user may not mount anything, why not. */
export async function mountFolder(): Promise<MountedFolder | { readonly reason: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-mounted-'));
  const content = await mkdtemp(path.join(tmpdir(), 'sluice-content-'));
  let isMounted = false;
  const mount = async () => {
    await run('mount', ['--bind', content, folder]);
    isMounted = true;
  };
  // What is still open does not keep the disk there: so it is with one that is pulled out.
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
    return { reason: `nothing can be mounted here: ${String(error)}` };
  }
  return {
    folder,
    mount,
    unmount,
    remove: async () => {
      // A test that has failed may not have brought it back.
      if (isMounted) await unmount();
      await clear();
    },
  };
}
