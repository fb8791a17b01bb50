import { SEVERITIES, severityId } from '@sluice/ocsf';
import { z } from 'zod';
import { hasKeyIn, opaqueCondition } from '../../db/opaque-condition.ts';
import {
  type Condition,
  type ConditionSql,
  dateFilters,
  type Filters,
  filter,
  hasNullableText,
  nullableFilters,
  valueFilters,
  withCountsSql,
} from '../../jsonapi/filters.ts';
import { checkIdFilters, facetFilters, findingProviderFilters } from '../../resources/finding-filters.ts';
import { stateFilter } from '../../resources/finding-state.ts';
import { DELTA } from '../../resources/finding-totals.ts';
import { unsupportedOnPreviousLayout } from '../../resources/previous-layout.ts';
import { SEARCH_SYNTAX } from '../../resources/search-words.ts';
import { changeFilters } from './change-filters.ts';
import { searchCondition } from './search.ts';
import { hasFindingUid } from './uid-filter.ts';

export const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
export const DELTAS = ['new', 'changed', 'unchanged'] as const;

/** Filters on columns that all groupings of the totals have. */
const countedFilters = withCountsSql({
  ...valueFilters('status', z.enum(STATUSES), (values) => ({
    sql: (bind) => opaqueCondition(`findings.status = any(${bind(values)}::finding_status[])`),
  })),
  ...valueFilters('severity', z.enum(SEVERITIES), (values) => ({
    sql: (bind) => opaqueCondition(`findings.severity = any(${bind(values.map(severityId))}::smallint[])`),
  })),
  ...valueFilters('delta', z.enum(DELTAS), hasDelta),
  muted: filter({
    description: 'Returns findings that are muted (`true`) or not muted (`false`).',
    schema: z.enum(['true', 'false']),
    condition: (value) => ({ sql: (bind) => `findings.muted = ${bind(value)}::boolean` }),
  }),
});

const categoryFilters = withCountsSql(valueFilters('category', z.string(), hasCategory), ['check']);

/** Filters for finding lists and summaries. Conditions on other tables are evaluated once per statement. */
export const findingFilters: Filters = {
  state: stateFilter,
  ...countedFilters,
  ...findingProviderFilters,
  ...checkIdFilters,
  ...categoryFilters,
  ...facetFilters('service'),
  ...facetFilters('region'),
  ...facetFilters('resource_type'),
  ...facetFilters('product'),
  ...valueFilters('uid', z.string(), hasFindingUid),
  ...valueFilters('resource', z.uuid(), hasResource, {
    one: 'Matches findings of this resource, including findings that name it after another resource.',
    several:
      'Matches findings of any of these resources, including findings that name them after other resources. Separate the IDs with commas.',
  }),
  ...nullableFilters('resource_uid', hasResourceUid),
  ...valueFilters('scan', z.uuid(), hasScan),
  ...valueFilters('ingestion', z.uuid(), hasIngestion),
  ...changeFilters,
  ...dateFilters('first_seen_at', 'findings.first_seen_at'),
  ...dateFilters('last_seen_at', 'findings.last_seen_at'),
  ...dateFilters('status_changed_at', 'findings.status_changed_at'),
  search: filter({
    description: `Returns findings whose check title, check ID, resource name, resource uid, account, provider alias or name, region or uid contains these words, each in any of them. ${SEARCH_SYNTAX}`,
    schema: z.string(),
    condition: searchCondition,
  }),
};

/** Uses a partial index for changed findings, because usually only a few findings have changed. */
function hasDelta(deltas: readonly (typeof DELTAS)[number][]): Condition {
  const countsSql: ConditionSql = (bind) =>
    opaqueCondition(`findings.delta = any(${bind(deltas)}::finding_delta[])`);
  const onlyChanged = deltas.every((delta) => delta === 'changed');
  return { sql: onlyChanged ? () => 'findings.is_changed' : countsSql, countsSql, dimensions: [DELTA] };
}

function hasCategory(categories: readonly string[]): Condition {
  return hasCheck((bind) => `checks.categories && ${bind(categories)}::text[]`);
}

function hasCheck(matches: (bind: (value: unknown) => string) => string): Condition {
  return {
    sql: (bind, tenant) =>
      hasKeyIn(
        'findings.check_key',
        `select checks.key from checks where checks.tenant_id = ${tenant} and ${matches(bind)}`,
      ),
    previousSql: (bind, tenant) =>
      `(findings.provider_id, findings.check_id) in (select providers.id, checks.check_id from checks
         join providers on providers.tenant_id = checks.tenant_id and providers.type = checks.provider_type
         where checks.tenant_id = ${tenant} and ${matches(bind)})`,
  };
}

/** Findings of these resources, including findings whose record names them after another resource. */
function hasResource(ids: readonly string[]): Condition {
  const condition = ofResources((bind) => `resources.id = any(${bind(ids)}::uuid[])`, true);
  return { ...condition, previousSql: unsupportedOnPreviousLayout };
}

function hasResourceUid(uids: readonly string[]): Condition {
  const { sql: ofResource } = ofResources((bind, tenant) => hasUid(bind(uids), tenant), false);
  const sql: ConditionSql = (bind, tenant) =>
    uids.includes('')
      ? `(findings.resource_key is null or ${ofResource(bind, tenant)})`
      : ofResource(bind, tenant);
  return { sql, previousSql: hasNullableText('findings.resource_uid', uids) };
}

/** The id of a resource is derived from its provider and its uid, which is too long for an index. */
function hasUid(uids: string, tenant: string): string {
  return `resources.id = any(array(select finding_resource_id(providers.id, requested.uid)
    from providers cross join unnest(${uids}::text[]) as requested (uid) where providers.tenant_id = ${tenant}))`;
}

function ofResources(matches: ConditionSql, withFurther: boolean): Pick<Condition, 'sql'> {
  return {
    sql: (bind, tenant) => {
      const keys = `select resources.key from resources where resources.tenant_id = ${tenant} and ${matches(bind, tenant)}`;
      const isFirst = `findings.resource_key = any(array(${keys}))`;
      if (!withFurther) return isFirst;
      return `(${isFirst} or findings.id = any(array(select finding_resources.finding_id from finding_resources
        where finding_resources.tenant_id = ${tenant} and finding_resources.resource_key = any(array(${keys})))))`;
    },
  };
}

/** `selected` is the clauses that select the scans. The index on checks and accounts leads to the findings of their accounts. */
function inAccountsOf(selected: string): string {
  return `findings.provider_id = any(array(select scans.provider_id ${selected}))`;
}

function hasScan(ids: readonly string[]): Condition {
  const inAccounts: ConditionSql = (bind, tenant) => inAccountsOf(selectedScans(bind(ids), tenant));
  return {
    sql: (bind, tenant) => `(${inAccounts(bind, tenant)} and findings.scan_id = any(${bind(ids)}::uuid[]))`,
    previousSql: (bind, tenant) =>
      `(${inAccounts(bind, tenant)}
        and (findings.ingestion_id, findings.provider_id, coalesce(findings.scan_uid, '')) in
          (select scans.ingestion_id, scans.provider_id, coalesce(scans.uid, '') ${selectedScans(bind(ids), tenant)}))`,
  };
}

/** Each account of an upload has a scan. */
function hasIngestion(ids: readonly string[]): Condition {
  return {
    sql: (bind, tenant) =>
      `(${inAccountsOf(selectedScans(bind(ids), tenant, 'ingestion_id'))}
        and findings.ingestion_id = any(${bind(ids)}::uuid[]))`,
  };
}

function selectedScans(ids: string, tenant: string, column = 'id'): string {
  return `from scans where scans.tenant_id = ${tenant} and scans.${column} = any(${ids}::uuid[])`;
}
