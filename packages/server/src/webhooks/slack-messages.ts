import type { SeverityName } from '@sluice/ocsf';
import type { EventData, EventType } from './event-types.ts';
import { slackLink, slackText } from './slack-text.ts';

// Worker threads load this module, but not the schemas of event-types.ts, which take 4 MiB of memory per thread.

function ingestionMessage({ status, file_name, summary, links }: EventData<'ingestion.completed'>): string {
  const name = slackLink(file_name ?? 'without a name', links?.console);
  const records = `${summary.total.toLocaleString('en')} ${summary.total === 1 ? 'record' : 'records'}`;
  const rejected = summary.invalid > 0 ? `, ${summary.invalid.toLocaleString('en')} rejected` : '';
  return `Ingestion ${status}: ${name} (${records}${rejected})`;
}

function scanMessage({ provider, links, ...changes }: EventData<'scan.changed'>): string {
  const total = (counts: Readonly<Partial<Record<SeverityName, number>>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  const counts = (['new', 'reopened', 'regressed', 'fixed', 'resolved'] as const)
    .map((change) => ({ change, count: total(changes[change]) }))
    .filter(({ count }) => count > 0)
    .map(({ change, count }) => `${count.toLocaleString('en')} ${change}`);
  const account = provider.name === null ? provider.account : `${provider.name} (${provider.account})`;
  const worst = changes.worst.map(
    ({ severity, check_id, check_title, resource, links }) =>
      `\n• ${slackText(severity)}: ${slackLink(check_title ?? check_id, links?.console)} (${slackText(resource.name ?? resource.uid ?? 'no resource')})`,
  );
  return `Scan of ${slackText(provider.type)} ${slackLink(account, links?.console)}: ${counts.join(', ')}${worst.join('')}`;
}

const MESSAGES: { readonly [Type in EventType]: (data: EventData<Type>) => string } = {
  'ingestion.completed': ingestionMessage,
  'ingestion.failed': ingestionMessage,
  'scan.changed': scanMessage,
  'provider.created': ({ type, account, name, links }) => {
    const accountName = name === null ? '' : ` (${slackText(name)})`;
    return `New provider: ${slackText(type)} ${slackLink(account, links?.console)}${accountName}`;
  },
  'webhook.test': () => 'Test of a Sluice webhook',
};

/** The event as text in Slack's format. */
export function slackMessageOf<Type extends EventType>(type: Type, data: EventData<Type>): string {
  return MESSAGES[type](data);
}
