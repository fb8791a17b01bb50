import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runCommand, type SystemUser } from './run-command.ts';

/** Prints the first of its arguments that the user who runs it may not enter (or, for a file, execute). */
const PRINT_FIRST_CLOSED = 'for path do [ -x "$path" ] || { printf %s "$path"; exit 1; }; done';

/**
 * The folders on the way to these paths that the user may not enter, including the paths themselves. A check as that user
 * also covers access control lists and mounts; behind the first closed folder, only the mode can be checked.
 *
 * @throws EmbeddedPostgresError `no_server_user` if root lacks the capability to become that user
 */
export async function inaccessiblePaths(paths: readonly string[], user: SystemUser): Promise<string[]> {
  const closed = new Set<string>();
  for (const path of paths) {
    const way = pathsFromRoot(path);
    const first = await firstClosed(way, user);
    if (first === undefined) continue;
    closed.add(first);
    for (const folder of way.slice(way.indexOf(first) + 1))
      if (!(await isOpenByMode(folder, user))) closed.add(folder);
  }
  return [...closed];
}

async function firstClosed(way: readonly string[], user: SystemUser): Promise<string | undefined> {
  const asked = await runCommand('/bin/sh', ['-c', PRINT_FIRST_CLOSED, 'sh', ...way], user).catch(
    (cause: unknown) => {
      throw new EmbeddedPostgresError(
        'no_server_user',
        `PostgreSQL refuses to run as root, and root may not become the ${user.name} here: ` +
          'run Sluice as a normal user, or set DATABASE_URL to a PostgreSQL of your own',
        { cause },
      );
    },
  );
  return asked.exitCode === 0 ? undefined : asked.output;
}

async function isOpenByMode(path: string, user: SystemUser): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}

function pathsFromRoot(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...pathsFromRoot(parent), path];
}
