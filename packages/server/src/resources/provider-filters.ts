import { accountSpellings, normalizeProviderType } from '@sluice/ocsf';
import { z } from 'zod';
import type { Queryable } from '../db/transaction.ts';
import { type Condition, type ConditionSql, type Filters, valueFilters } from '../jsonapi/filters.ts';
import { hasSelectedId, UnpreparedCondition } from './prepare-conditions.ts';

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

/** `filter[provider_type]` and `filter[account]` of a table with provider ids. The conditions must be prepared. */
export function ofProviderFilters(table: string): Filters {
  return {
    ...valueFilters('provider_type', providerType, (types) => new ProviderCondition(table, 'type', types)),
    ...valueFilters(
      'account',
      z.string(),
      (accounts) => new ProviderCondition(table, 'account', accounts.flatMap(accountSpellings)),
    ),
  };
}

class ProviderCondition extends UnpreparedCondition {
  readonly #column: string;
  /** Selects the ids of the providers. */
  readonly #query: ConditionSql;

  constructor(table: string, attribute: 'type' | 'account', values: readonly string[]) {
    super();
    this.#column = `${table}.provider_id`;
    this.#query = (bind, tenant) => `select providers.id from providers
      where providers.tenant_id = ${tenant} and providers.${attribute} = any(${bind(values)}::text[])`;
  }

  readonly previousSql: ConditionSql = (bind, tenant) =>
    `${this.#column} = any(array(${this.#query(bind, tenant)}))`;

  override async prepare(client: Queryable, tenantId: string): Promise<readonly Condition[]> {
    const sql = await hasSelectedId(client, tenantId, this.#column, this.#query);
    return [{ sql, countsSql: sql, dimensions: ['provider'] }];
  }
}
