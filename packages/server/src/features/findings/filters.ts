import { accountSpellings, SEVERITIES, severityId } from '@sluice/ocsf';
import { z } from 'zod';
import {
  type Condition,
  type ConditionSql,
  dateFilters,
  enumFilters,
  equalityFilters,
  type Filters,
  filter,
  likePattern,
  valueFilters,
  withCountsSql,
} from '../../jsonapi/filters.ts';
import { providerType } from '../../resources/provider-filters.ts';

export const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
export const DELTAS = ['new', 'changed', 'unchanged'] as const;

/** Filters on columns that also exist in the stored counts (`stored-counts.ts`). */
const countedFilters = withCountsSql({
  ...enumFilters('status', 'findings.status', STATUSES, 'finding_status'),
  ...valueFilters('severity', z.enum(SEVERITIES), (values) => ({
    sql: (bind) => `findings.severity = any(${bind(values.map(severityId))}::smallint[])`,
  })),
  ...valueFilters('delta', z.enum(DELTAS), hasDelta),
  muted: filter({
    description: 'Returns findings that are muted (`true`) or not muted (`false`).',
    schema: z.enum(['true', 'false']),
    condition: (value) => ({ sql: (bind) => `findings.muted = ${bind(value)}::boolean` }),
  }),
  ...equalityFilters('provider', 'findings.provider_id', z.uuid(), 'uuid'),
  ...valueFilters('provider_type', providerType, (types) => hasProvider('type', types)),
  ...valueFilters('account', z.string(), (accounts) =>
    hasProvider('account', accounts.flatMap(accountSpellings)),
  ),
  ...equalityFilters('service', 'findings.service', z.string(), 'text'),
});

/** Filters for finding lists and summaries. Conditions on other tables are evaluated once per statement. */
export const findingFilters: Filters = {
  ...countedFilters,
  ...equalityFilters('uid', 'findings.uid', z.string(), 'text'),
  ...equalityFilters('check_id', 'findings.check_id', z.string(), 'text'),
  ...equalityFilters('region', 'findings.region', z.string(), 'text'),
  ...equalityFilters('resource_uid', 'findings.resource_uid', z.string(), 'text'),
  ...valueFilters('scan', z.uuid(), hasScan),
  ...equalityFilters('ingestion', 'findings.ingestion_id', z.uuid(), 'uuid'),
  ...valueFilters('category', z.string(), (categories) =>
    hasCheck((bind) => `checks.categories && ${bind(categories)}::text[]`),
  ),
  ...dateFilters('first_seen_at', 'findings.first_seen_at'),
  ...dateFilters('last_seen_at', 'findings.last_seen_at'),
  ...dateFilters('status_changed_at', 'findings.status_changed_at'),
  search: filter({
    description:
      'Returns findings whose check title, resource name, resource uid or status detail contains this text. Case-insensitive.',
    schema: z.string(),
    condition: matchesText,
  }),
};

/** Uses a partial index for changed findings, because usually only a few findings have changed. */
function hasDelta(deltas: readonly (typeof DELTAS)[number][]): Condition {
  const countsSql: ConditionSql = (bind) => `findings.delta = any(${bind(deltas)}::finding_delta[])`;
  const onlyChanged = deltas.every((delta) => delta === 'changed');
  return { sql: onlyChanged ? () => 'findings.is_changed' : countsSql, countsSql };
}

/** Compares with an array that is computed before the findings are read, so that PostgreSQL can use an index on findings. */
function hasProvider(column: 'type' | 'account', values: readonly string[]): Condition {
  return {
    sql: (bind, tenant) =>
      `findings.provider_id = any(array(select providers.id from providers
         where providers.tenant_id = ${tenant} and providers.${column} = any(${bind(values)}::text[])))`,
  };
}

/** The first condition lets PostgreSQL skip other uploads by using the BRIN index. The second condition is exact. */
function hasScan(ids: readonly string[]): Condition {
  return {
    sql: (bind, tenant) => {
      const selected = `from scans where scans.tenant_id = ${tenant} and scans.id = any(${bind(ids)}::uuid[])`;
      return `(findings.ingestion_id = any(array(select scans.ingestion_id ${selected}))
        and (findings.ingestion_id, findings.provider_id, coalesce(findings.scan_uid, '')) in
          (select scans.ingestion_id, scans.provider_id, coalesce(scans.uid, '') ${selected}))`;
    },
  };
}

function hasCheck(matches: (bind: (value: unknown) => string) => string): Condition {
  return {
    sql: (bind, tenant) =>
      `(findings.provider_id, findings.check_id) in (select providers.id, checks.check_id from checks
         join providers on providers.tenant_id = checks.tenant_id and providers.type = checks.provider_type
         where checks.tenant_id = ${tenant} and ${matches(bind)})`,
  };
}

function matchesText(text: string): Condition {
  return {
    sql: (bind, tenant) => {
      const pattern = bind(likePattern(text));
      const inTitle = hasCheck(() => `checks.title ilike ${pattern}`).sql(bind, tenant);
      const columns = ['resource_name', 'resource_uid', 'status_detail'];
      return `(${[...columns.map((column) => `findings.${column} ilike ${pattern}`), inTitle].join(' or ')})`;
    },
  };
}
