import { Command } from '@commander-js/extra-typings';
import { createUser, setPermissions } from '../auth/operator-commands.ts';
import { PERMISSIONS } from '../auth/permissions.ts';
import { administer, type CliContext } from './context.ts';
import { jsonOption, PERMISSIONS_HELP, parseEmail, parsePermissions, tenantOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice user`. */
export function userCommand(context: CliContext) {
  const create = new Command('create')
    .description('create a user')
    .addOption(tenantOption())
    .requiredOption('--email <email>', 'email address of the user', parseEmail)
    .option(
      '--permissions <list>',
      'permissions of the user, separated by commas (default: all)',
      parsePermissions,
    )
    .addOption(jsonOption())
    .addHelpText('after', PERMISSIONS_HELP)
    .addHelpText('after', settingsHelp())
    .action(({ tenant, email, permissions = PERMISSIONS, json }) =>
      administer(context, json, (pool) => createUser(pool, tenant, email, permissions)),
    );
  const setUserPermissions = new Command('set-permissions')
    .description("replace a user's permissions")
    .argument('<permissions>', 'new permissions of the user, separated by commas', parsePermissions)
    .addOption(tenantOption())
    .requiredOption('--email <email>', 'email address of the user')
    .addOption(jsonOption())
    .addHelpText('after', PERMISSIONS_HELP)
    .addHelpText('after', settingsHelp())
    .action((permissions, { tenant, email, json }) =>
      administer(context, json, (pool) => setPermissions(pool, tenant, email, permissions)),
    );
  return new Command('user').description('manage users').addCommand(create).addCommand(setUserPermissions);
}
