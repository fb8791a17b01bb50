import { SETTINGS } from '../config.ts';
import { ROLES, type Role } from '../role.ts';
import { type CommandHelp, readArguments, UsageError } from './command.ts';

/** The help of `sluice serve`, which `serve.ts` runs. */
export const SERVE: CommandHelp = {
  usage: 'serve [--role api|worker|all]',
  summary: 'Run the service until SIGTERM or Ctrl-C',
  details: `Roles:
  api     responds to requests and stores uploads
  worker  ingests uploads and collects expired data; it listens only on SLUICE_OPERATIONS_PORT, if set
  all     does both

Any number of api and worker processes with the same DATABASE_URL and SLUICE_BLOB_STORE are one service.
Only the role all can use the embedded PostgreSQL; the others need DATABASE_URL.`,
  positionals: {},
  options: { role: { value: 'api|worker|all', description: 'what the process does (default: all)' } },
  settings: SETTINGS,
};

/** Reads the words after `serve`. Throws a UsageError for unknown options and roles. */
export function readRole(words: readonly string[]): Role {
  const given = readArguments(words, SERVE).option('role') ?? 'all';
  const role = ROLES.find((name) => name === given);
  if (role === undefined) throw new UsageError(`--role must be ${ROLES.join(', ')}, not '${given}'`);
  return role;
}
