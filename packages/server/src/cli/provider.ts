import { Command, Option } from '@commander-js/extra-typings';
import {
  deleteBilledProvider,
  listBilledProviders,
  listProviderProducts,
  resolveProviderProduct,
} from '../features/providers/repository.ts';
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
    .addArgument(providerArgument())
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action((id, { tenant, json }) =>
      administer(context, json, (pool) => deleteBilledProvider(pool, tenant, id)),
    );
  const products = new Command('products')
    .description('list the products that reported findings of a provider')
    .addArgument(providerArgument())
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action((id, { tenant, json }) =>
      administer(context, json, (pool) => listProviderProducts(pool, tenant, id)),
    );
  const resolve = new Command('resolve')
    .description("resolve a provider's open findings of a product, or only count them")
    .addArgument(providerArgument())
    .addOption(
      new Option(
        '--product <name>',
        "name of the product, from 'sluice provider products'",
      ).makeOptionMandatory(),
    )
    .addOption(tenantOption())
    .option('--yes', 'resolve the findings; otherwise, they are only counted')
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action(async (id, { product, tenant, yes = false, json }) => {
      await administer(context, json, (pool) => resolveProviderProduct(pool, tenant, { id, product }, yes));
      // Not on stdout, which contains only the result.
      if (!yes)
        context.writeErr('No findings were resolved. To resolve them, repeat the command with --yes.\n');
    });
  return new Command('provider')
    .description('manage providers')
    .addCommand(list)
    .addCommand(products)
    .addCommand(resolve)
    .addCommand(remove);
}

function providerArgument() {
  return idArgument('<provider-id>', "ID of the provider, from 'sluice provider list'");
}
