import { accountSpellings, normalizeProviderType } from '@sluice/ocsf';
import { z } from 'zod';
import { type Filters, valueFilters } from '../jsonapi/filters.ts';

/** A provider type, normalized in the same way as in uploads. */
export const providerType = z.string().transform(normalizeProviderType);

/** `filter[account]` and `filter[account__in]` on an account column. They match all equivalent spellings of an account. */
export function accountFilters(column: string): Filters {
  return valueFilters('account', z.string(), (accounts) => ({
    sql: (bind) => `${column} = any(${bind(accounts.flatMap(accountSpellings))}::text[])`,
  }));
}

/**
 * SQL for a lateral subquery that returns `type`, `account` and `deleted_at` of a row's provider. A subquery that is
 * evaluated for each row always uses the complete primary key. A plain join may not: if the statistics are older than
 * the tenant's providers, PostgreSQL expects the tenant to have one provider, and reads all of the tenant's providers
 * for each row.
 */
export function providerSubquery(row: string, tenant = `${row}.tenant_id`): string {
  return `lateral (select type, account, deleted_at from providers
    where providers.tenant_id = ${tenant} and providers.id = ${row}.provider_id offset 0)`;
}
