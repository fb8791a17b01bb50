import { SETTINGS } from '../config/config.ts';
import { ROLES, type Role } from '../process/component.ts';
import { type CommandHelp, readArguments, UsageError } from './command.ts';

/** The help of `sluice serve`, which is implemented in `serve.ts`. */
export const SERVE: CommandHelp = {
  usage: 'serve [--role api|worker|all]',
  summary: 'Start the server',
  details: `Press Ctrl-C to stop. In-flight work finishes first.

Roles:
  api     handles requests and stores uploads
  worker  ingests uploads and removes expired data; listens only on SLUICE_OPERATIONS_PORT, if set
  all     does both

Any number of api and worker processes with the same DATABASE_URL and SLUICE_BLOB_STORE form one service.
Only the role all can use the embedded PostgreSQL; the other roles require DATABASE_URL.`,
  positionals: {},
  options: { role: { value: 'api|worker|all', description: 'role of the process (default: all)' } },
  settings: SETTINGS,
};

/** Parses the arguments after `serve`. Throws a UsageError for unknown options and roles. */
export function readRole(args: readonly string[]): Role {
  const given = readArguments(args, SERVE).option('role') ?? 'all';
  const role = ROLES.find((name) => name === given);
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}, not '${given}'`);
  return role;
}
