import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runCommand, type SystemUser } from './run-command.ts';

/** Prints the first of its arguments that the user who runs it may not enter (or, for a file, execute). */
const printFirstClosed = 'for path do [ -x "$path" ] || { printf %s "$path"; exit 1; }; done';

/**
 * Checks as the given user that every folder on the way to the path may be entered. Asking the kernel, as that
 * user, also takes account of access lists and mounts, which mode bits do not show.
 *
 * @throws EmbeddedPostgresError `no_server_user` when root lacks the capability to become that user
 * @throws EmbeddedPostgresError `unreachable_path` naming the first folder that is closed and the ways out
 */
export async function requireReachable(path: string, user: SystemUser, wayOut: string): Promise<void> {
  const check = await runCommand(
    '/bin/sh',
    ['-c', printFirstClosed, 'sh', ...pathsFromRoot(path)],
    user,
  ).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      'no_server_user',
      `PostgreSQL refuses to run as root, and root may not become the ${user.name} here: ` +
        'run Sluice as a normal user, or set DATABASE_URL to a PostgreSQL of your own',
      { cause },
    );
  });
  if (check.exitCode === 0) return;
  const closed = check.output;
  throw new EmbeddedPostgresError(
    'unreachable_path',
    `PostgreSQL refuses to run as root, so Sluice runs it as the ${user.name}, who cannot reach ${closed}` +
      `${closed === path ? '' : ` on the way to ${path}`}: ` +
      `run \`chmod o+x ${closed}\`, or ${wayOut}, or set DATABASE_URL to a PostgreSQL of your own`,
  );
}

function pathsFromRoot(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...pathsFromRoot(parent), path];
}
