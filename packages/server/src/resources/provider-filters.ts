import { accountSpellings, normalizeProviderType } from '@sluice/ocsf';
import { z } from 'zod';
import { type Filters, valueFilters } from '../jsonapi/filters.ts';

/** A provider type, normalized in the same way as in uploads. */
export const providerType = z.string().transform(normalizeProviderType);

/**
 * `filter[account]` and `filter[account__in]` on an account column. They match all equivalent spellings of an account.
 */
export function accountFilters(column: string): Filters {
  return valueFilters('account', z.string(), (accounts) => ({
    sql: (bind) => `${column} = any(${bind(accounts.flatMap(accountSpellings))}::text[])`,
  }));
}
