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
import { providerType } from '../providers/filters.ts';

export const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
export const DELTAS = ['new', 'changed', 'unchanged'] as const;

/** What the kept counts (`stored-counts.ts`) know as well. */
const counted = withCountsSql({
  ...enumFilters('status', 'findings.status', STATUSES, 'finding_status'),
  ...valueFilters('severity', z.enum(SEVERITIES), (values) => ({
    sql: (bind) => `findings.severity = any(${bind(values.map(severityId))}::smallint[])`,
  })),
  ...valueFilters('delta', z.enum(DELTAS), ofDeltas),
  muted: filter({
    description: 'Only those that are muted (true), or those that are not (false)',
    schema: z.enum(['true', 'false']),
    condition: (value) => ({ sql: (bind) => `findings.muted = ${bind(value)}::boolean` }),
  }),
  ...equalityFilters('provider', 'findings.provider_id', z.uuid(), 'uuid'),
  ...valueFilters('provider_type', providerType, (types) => ofProviders('type', types)),
  ...valueFilters('account', z.string(), (accounts) =>
    ofProviders('account', accounts.flatMap(accountSpellings)),
  ),
  ...equalityFilters('service', 'findings.service', z.string(), 'text'),
});

/** What lists and summaries of findings are filtered by. What another table knows is looked up once per statement. */
export const findingFilters: Filters = {
  ...counted,
  ...equalityFilters('uid', 'findings.uid', z.string(), 'text'),
  ...equalityFilters('check_id', 'findings.check_id', z.string(), 'text'),
  ...equalityFilters('region', 'findings.region', z.string(), 'text'),
  ...equalityFilters('resource_uid', 'findings.resource_uid', z.string(), 'text'),
  ...valueFilters('scan', z.uuid(), ofScans),
  ...equalityFilters('ingestion', 'findings.ingestion_id', z.uuid(), 'uuid'),
  ...valueFilters('category', z.string(), (categories) =>
    ofChecks((bind) => `checks.categories && ${bind(categories)}::text[]`),
  ),
  ...dateFilters('first_seen_at', 'findings.first_seen_at'),
  ...dateFilters('last_seen_at', 'findings.last_seen_at'),
  ...dateFilters('status_changed_at', 'findings.status_changed_at'),
  search: filter({
    description:
      'Only those with this text in the title of their check, their resource name or uid, or their status detail',
    schema: z.string(),
    condition: searched,
  }),
};

/** Those that changed are few as a rule, and have an index of their own. */
function ofDeltas(deltas: readonly (typeof DELTAS)[number][]): Condition {
  const countsSql: ConditionSql = (bind) => `findings.delta = any(${bind(deltas)}::finding_delta[])`;
  const onlyChanged = deltas.every((delta) => delta === 'changed');
  return { sql: onlyChanged ? () => 'findings.is_changed' : countsSql, countsSql };
}

/** As an array that is made before the findings are read, so that an index on them can be used. */
function ofProviders(column: 'type' | 'account', values: readonly string[]): Condition {
  return {
    sql: (bind, tenant) =>
      `findings.provider_id = any(array(select providers.id from providers
         where providers.tenant_id = ${tenant} and providers.${column} = any(${bind(values)}::text[])))`,
  };
}

/** The first condition lets the index on blocks skip what other uploads have brought; the second is the whole truth. */
function ofScans(ids: readonly string[]): Condition {
  return {
    sql: (bind, tenant) => {
      const wanted = `from scans where scans.tenant_id = ${tenant} and scans.id = any(${bind(ids)}::uuid[])`;
      return `(findings.ingestion_id = any(array(select scans.ingestion_id ${wanted}))
        and (findings.ingestion_id, findings.provider_id, coalesce(findings.scan_uid, '')) in
          (select scans.ingestion_id, scans.provider_id, coalesce(scans.uid, '') ${wanted}))`;
    },
  };
}

function ofChecks(matches: (bind: (value: unknown) => string) => string): Condition {
  return {
    sql: (bind, tenant) =>
      `(findings.provider_id, findings.check_id) in (select providers.id, checks.check_id from checks
         join providers on providers.tenant_id = checks.tenant_id and providers.type = checks.provider_type
         where checks.tenant_id = ${tenant} and ${matches(bind)})`,
  };
}

function searched(text: string): Condition {
  return {
    sql: (bind, tenant) => {
      const pattern = bind(likePattern(text));
      const inTitle = ofChecks(() => `checks.title ilike ${pattern}`).sql(bind, tenant);
      const columns = ['resource_name', 'resource_uid', 'status_detail'];
      return `(${[...columns.map((column) => `findings.${column} ilike ${pattern}`), inTitle].join(' or ')})`;
    },
  };
}
