import { accountSpellings, normalizeProviderType } from '@sluice/ocsf';
import { z } from 'zod';
import { type Condition, type Filters, valueFilters } from '../jsonapi/filters.ts';

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

/** `filter[provider_type]` and `filter[account]` of a table with provider ids. */
export function ofProviderFilters(table: string): Filters {
  return {
    ...valueFilters('provider_type', providerType, (types) => hasProvider(table, 'type', types)),
    ...valueFilters('account', z.string(), (accounts) =>
      hasProvider(table, 'account', accounts.flatMap(accountSpellings)),
    ),
  };
}

/** Compares with an array that is computed before the rows are read, so that PostgreSQL can use an index on them. */
function hasProvider(table: string, column: 'type' | 'account', values: readonly string[]): Condition {
  return {
    sql: (bind, tenant) =>
      `${table}.provider_id = any(array(select providers.id from providers
         where providers.tenant_id = ${tenant} and providers.${column} = any(${bind(values)}::text[])))`,
  };
}
