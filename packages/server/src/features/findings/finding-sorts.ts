import { TENANT } from '../../db/tenant-parameter.ts';
import type { SortKey, SortTerm } from '../../jsonapi/sort.ts';
import { CHECK_ID_SQL } from './stored-uid.ts';

const severity: SortKey = { sql: 'findings.severity', type: 'smallint' };
const status: SortKey = { sql: 'findings.status', type: 'finding_status' };
const id: SortKey = { sql: 'findings.id', type: 'uuid' };
const check_id: SortKey = { sql: CHECK_ID_SQL, type: 'text' };
const account: SortKey = {
  sql: `(select providers.account from providers
    where providers.tenant_id = ${TENANT} and providers.id = findings.provider_id)`,
  type: 'text',
};
const resource: SortKey = {
  sql: `coalesce((select resources.sort_name from resources
    where resources.tenant_id = ${TENANT} and resources.key = findings.resource_key), '') collate "C"`,
  type: 'text',
};
const lacksResource: SortKey = { sql: '(findings.resource_key is null)', type: 'boolean' };
const resourceKey: SortKey = { sql: 'coalesce(findings.resource_key, 0)', type: 'bigint' };

/** Sort keys for findings. */
export const FINDING_SORTS = {
  severity,
  status,
  last_seen_at: { sql: 'findings.last_seen_at', type: 'timestamptz' },
  first_seen_at: { sql: 'findings.first_seen_at', type: 'timestamptz' },
  status_changed_at: { sql: 'findings.status_changed_at', type: 'timestamptz' },
  check_id,
  account,
  resource,
  id,
} as const;

/**
 * The terms by which findings are sorted: findings without a resource come last in both directions, and those of one
 * resource are adjacent even if resources have the same name.
 */
export function findingTerms(sort: readonly SortTerm[]): readonly SortTerm[] {
  return sort.flatMap((term) =>
    term.sql === resource.sql
      ? [{ ...lacksResource, descending: false }, term, { ...resourceKey, descending: term.descending }]
      : [term],
  );
}

/** Sort keys that only make the order unambiguous. The totals count findings by them. */
export const FINDING_TIES = {
  check: { sql: 'findings.check_key', type: 'bigint' },
  provider: { sql: 'findings.provider_id', type: 'uuid' },
} as const;

/**
 * If the totals count findings by the requested key, ties are broken by the other keys of the totals. The sections of
 * every page are then small, and an index on checks and providers leads to them.
 */
export function findingTies(last: SortTerm | undefined): readonly SortTerm[] {
  const { check, provider } = FINDING_TIES;
  const keys = ((): readonly SortKey[] => {
    switch (last?.sql) {
      case severity.sql:
        return [status, check, provider, id];
      case status.sql:
        return [check, provider, id];
      case check_id.sql:
        return [provider, id];
      case account.sql:
        return [check_id, id];
      default:
        return [id];
    }
  })();
  return keys.map((key) => ({ ...key, descending: false }));
}
