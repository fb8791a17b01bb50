import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runCommand, type SystemUser } from './run-command.ts';

/** Prints the first argument that the current user cannot traverse (or, for a file, execute). */
const PRINT_FIRST_INACCESSIBLE = 'for path do [ -x "$path" ] || { printf %s "$path"; exit 1; }; done';

/**
 * Returns the paths and parent folders that the user cannot traverse. A check as that user also covers access control
 * lists and mounts; below the first inaccessible folder, only the mode can be checked.
 *
 * @throws EmbeddedPostgresError `no_server_user` if root lacks the capability to become that user
 */
export async function inaccessiblePaths(paths: readonly string[], user: SystemUser): Promise<string[]> {
  const inaccessible = new Set<string>();
  for (const path of paths) {
    const ancestors = pathsFromRoot(path);
    const first = await firstInaccessible(ancestors, user);
    if (first === undefined) continue;
    inaccessible.add(first);
    for (const folder of ancestors.slice(ancestors.indexOf(first) + 1))
      if (!(await isAccessibleByMode(folder, user))) inaccessible.add(folder);
  }
  return [...inaccessible];
}

async function firstInaccessible(paths: readonly string[], user: SystemUser): Promise<string | undefined> {
  const result = await runCommand('/bin/sh', ['-c', PRINT_FIRST_INACCESSIBLE, 'sh', ...paths], user).catch(
    (cause: unknown) => {
      throw new EmbeddedPostgresError(
        'no_server_user',
        `PostgreSQL refuses to run as root, and root cannot switch to the ${user.name} here: ` +
          'run Sluice as a normal user, or set DATABASE_URL to your own PostgreSQL',
        { cause },
      );
    },
  );
  return result.exitCode === 0 ? undefined : result.output;
}

async function isAccessibleByMode(path: string, user: SystemUser): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}

function pathsFromRoot(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...pathsFromRoot(parent), path];
}
