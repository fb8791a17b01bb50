import { Command } from '@commander-js/extra-typings';
import { retryJob } from '../features/ingestions/retry-job.ts';
import { administer, type CliContext } from './context.ts';
import { idArgument, jsonOption, tenantOption } from './options.ts';
import { settingsHelp } from './settings-help.ts';

const RETRY_HELP = `
Processes the failed frames again, in the same job. To process all records as a new job with
another default provider or account, use the command scanner retry.`;

/** `sluice job`. */
export function jobCommand(context: CliContext) {
  const retry = new Command('retry')
    .description("retry a job's failed frames")
    .addArgument(idArgument('<job-id>', 'ID of the ingestion'))
    .addOption(tenantOption())
    .addOption(jsonOption())
    .addHelpText('after', RETRY_HELP)
    .addHelpText('after', settingsHelp())
    .action((id, { tenant, json }) => administer(context, json, (pool) => retryJob(pool, tenant, id)));
  return new Command('job').description('manage ingestion jobs').addCommand(retry);
}
