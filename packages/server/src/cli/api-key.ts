import { Command } from '@commander-js/extra-typings';
import { createKey, revokeKey } from '../auth/operator-commands.ts';
import { administer, type CliContext } from './context.ts';
import { jsonOption, PERMISSIONS_HELP, parsePermissions, parseTime, tenantOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice api-key`. */
export function apiKeyCommand(context: CliContext) {
  const create = new Command('create')
    .description('create an API key, which is printed only once')
    .addOption(tenantOption())
    .requiredOption('--user <email>', 'email address of the user who owns the key')
    .option(
      '--permissions <list>',
      'restrict the key to these permissions, separated by commas (default: all permissions of its user)',
      parsePermissions,
    )
    .option('--expires <time>', 'expiry time, for example 2027-01-31T00:00:00Z (default: never)', parseTime)
    .addOption(jsonOption())
    .addHelpText('after', PERMISSIONS_HELP)
    .addHelpText('after', settingsHelp())
    .action(({ tenant, user, permissions, expires, json }) =>
      administer(context, json, (pool) => createKey(pool, tenant, user, { permissions, expiresAt: expires })),
    );
  const revoke = new Command('revoke')
    .description('revoke an API key')
    .argument('<prefix>', 'part of the key before the dot')
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action((prefix, { tenant, json }) =>
      administer(context, json, (pool) => revokeKey(pool, tenant, prefix)),
    );
  return new Command('api-key').description('manage API keys').addCommand(create).addCommand(revoke);
}
