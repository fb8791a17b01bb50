import { Command } from '@commander-js/extra-typings';
import { deleteBilledProvider, listBilledProviders } from '../features/providers/repository.ts';
import { administer, type CliContext } from './context.ts';
import { idArgument, jsonOption, tenantOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice provider`. */
export function providerCommand(context: CliContext) {
  const list = new Command('list')
    .description("list a tenant's billed providers")
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action(({ tenant, json }) => administer(context, json, (pool) => listBilledProviders(pool, tenant)));
  const remove = new Command('delete')
    .description('delete a provider and its findings')
    .addArgument(idArgument('<provider-id>', "ID of the provider, from 'sluice provider list'"))
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action((id, { tenant, json }) =>
      administer(context, json, (pool) => deleteBilledProvider(pool, tenant, id)),
    );
  return new Command('provider').description('manage providers').addCommand(list).addCommand(remove);
}
