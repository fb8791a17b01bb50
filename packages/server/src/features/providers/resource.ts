import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { shortText } from '../../jsonapi/short-text.ts';
import type { ProviderRow } from './repository.ts';

export const PROVIDERS = 'providers';

export const providerAlias = shortText()
  .nullable()
  .meta({ description: 'Name of your choice, not necessarily unique. `null` if no alias is set.' });

const count = z.int().min(0);

export const providers = describeResource({
  type: PROVIDERS,
  description: 'A cloud account with findings. Each provider counts toward the subscription.',
  attributes: {
    type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
    account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
    name: z.string().nullable().meta({
      description:
        'Account name from the first records of the account. `null` if these records have no account name.',
    }),
    alias: providerAlias,
    inserted_at: timestamp.meta({ description: 'Time at which the provider was created.' }),
    last_seen_at: timestamp
      .nullable()
      .meta({ description: 'Time of the latest record. `null` if the provider has no findings.' }),
    findings: z
      .strictObject({
        total: count.meta({ description: 'Number of findings.' }),
        failing: count.meta({ description: 'Number of findings with the status FAIL that are not muted.' }),
      })
      .meta({ description: 'Finding counts for this provider.' }),
  },
  links: ['findings'],
});

/** Converts a provider to a resource object. */
export function providerResource(row: ProviderRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, type, account, name, alias, inserted_at, counts } = row;
  const related = `${publicUrl}${API_PREFIX}/findings?${new URLSearchParams({ 'filter[provider]': id })}`;
  return {
    type: PROVIDERS,
    id,
    attributes: selectFields({ type, account, name, alias, inserted_at, ...counts }, fields),
    relationships: { findings: { links: { related } } },
    links: { self: `${publicUrl}${API_PREFIX}/${PROVIDERS}/${id}` },
  };
}
