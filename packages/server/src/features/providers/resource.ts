import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { shortText } from '../../jsonapi/short-text.ts';
import type { ProviderRow } from './repository.ts';

export const PROVIDERS = 'providers';

export const providerAlias = shortText('an alias')
  .nullable()
  .meta({ description: 'A name of your own; null: none. Several providers may have the same' });

const count = z.int().min(0);

export const providers = describeResource({
  type: PROVIDERS,
  description: 'An account that findings belong to; each counts toward the subscription',
  attributes: {
    type: z.string().meta({ description: 'The provider in lower case, like aws' }),
    account: z.string().meta({ description: "The account's id at the provider" }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'The name of the account in the records that came first' }),
    alias: providerAlias,
    inserted_at: timestamp,
    last_seen_at: timestamp.nullable().meta({ description: 'The time of its newest record' }),
    findings: z.strictObject({
      total: count,
      failing: count.meta({ description: 'Those with the status FAIL that are not muted' }),
    }),
  },
  links: ['findings'],
});

/** A provider as a resource object. */
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
