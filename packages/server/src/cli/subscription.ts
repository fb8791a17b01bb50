import { Argument, Command } from '@commander-js/extra-typings';
import { setSubscription } from '../auth/operator-commands.ts';
import { administer, type CliContext } from './context.ts';
import { jsonOption, SUBSCRIPTIONS, tenantOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

/** `sluice subscription`. */
export function subscriptionCommand(context: CliContext) {
  const set = new Command('set')
    .description("change a tenant's subscription")
    .addArgument(new Argument('<state>', 'uploads require an active subscription').choices(SUBSCRIPTIONS))
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', settingsHelp())
    .action((state, { tenant, json }) =>
      administer(context, json, (pool) => setSubscription(pool, tenant, state)),
    );
  return new Command('subscription').description('manage subscriptions').addCommand(set);
}
