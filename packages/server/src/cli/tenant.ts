import { Command, Option } from '@commander-js/extra-typings';
import { createTenant } from '../auth/operator-commands.ts';
import { administer, type CliContext } from './context.ts';
import { jsonOption, parseText, SUBSCRIPTIONS } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice tenant`. */
export function tenantCommand(context: CliContext) {
  const create = new Command('create')
    .description('create a tenant')
    .argument('<name>', 'name of the tenant', parseText)
    .addOption(
      new Option('--subscription <state>', 'uploads require an active subscription')
        .choices(SUBSCRIPTIONS)
        .default('active' as const),
    )
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action((name, { subscription, json }) =>
      administer(context, json, (pool) => createTenant(pool, name, subscription)),
    );
  return new Command('tenant').description('manage tenants').addCommand(create);
}
