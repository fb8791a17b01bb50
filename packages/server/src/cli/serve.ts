import { Command, Option } from '@commander-js/extra-typings';
import { readConfig, SETTINGS, unknownSettings } from '../config/config.ts';
import { assertRoleAllowed, ROLES } from '../process/component.ts';
import type { CliContext } from './context.ts';
import { settingsHelp } from './settings-help.ts';

const ROLES_HELP = `
Roles:
  api     handles requests and stores uploads
  worker  ingests uploads and removes expired data; listens only on SLUICE_OPERATIONS_PORT, if set
  all     does both

Any number of api and worker processes with the same DATABASE_URL and SLUICE_BLOB_STORE form one service.
Only the role all can use the embedded PostgreSQL; the other roles require DATABASE_URL.
Press Ctrl-C to stop. In-flight work finishes first.`;

/** `sluice serve`. */
export function serveCommand({ env }: CliContext) {
  return new Command('serve')
    .description('start the server')
    .addOption(new Option('--role <role>', 'role of the process').choices(ROLES).default('all' as const))
    .addHelpText('after', ROLES_HELP)
    .addHelpText('after', settingsHelp(SETTINGS))
    .action(async ({ role }) => {
      const config = readConfig(env);
      assertRoleAllowed(role, config);
      // Imported on demand, because loading the HTTP server would double the startup time of the other commands.
      const { runServer } = await import('./run-server.ts');
      await runServer(role, config, unknownSettings(env));
    });
}
