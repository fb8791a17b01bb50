import { z } from 'zod';
import type { FindingChange } from '../../ingest/changes/finding-state.ts';
import { firstScan } from '../../ingest/changes/timelines.ts';
import { type Filter, type Filters, filter } from '../../jsonapi/filters.ts';
import { CHANGE_DESCRIPTIONS, CHANGES } from '../../resources/finding-changes.ts';
import { unsupportedOnPreviousLayout } from '../../resources/previous-layout.ts';

/** `filter[new_in]` and one filter for each other change: the findings that a scan or an upload changed. */
export const changeFilters: Filters = Object.fromEntries(
  CHANGES.map((change): [string, Filter] => [
    `${change}_in`,
    filter({
      description: `Returns findings that a scan or an upload, given by its ID, counts as ${change}. ${CHANGE_DESCRIPTIONS[change]} Add \`filter[state]=open,resolved\` to include findings that are resolved now.`,
      schema: z.uuid(),
      condition: (id) => ({
        sql: (bind, tenant) => conditionOf(change)(bind(id), tenant),
        previousSql: unsupportedOnPreviousLayout,
      }),
    }),
  ]),
);

/** SQL condition on a finding for the scan or upload in the placeholder `id`. */
type ChangeCondition = (id: string, tenant: string) => string;

function conditionOf(change: FindingChange): ChangeCondition {
  if (change === 'new') return (id, tenant) => `(${isIn(id, tenant)} and ${isFirst(id, tenant)})`;
  if (change !== 'unchanged') return (id, tenant) => hasEvent([change], id, tenant);
  return (id, tenant) =>
    `(${isIn(id, tenant)} and not coalesce(${isFirst(id, tenant)}, false) and not ${hasEvent(['reopened', 'regressed', 'fixed'], id, tenant)})`;
}

/** SQL for the upload of the scan, or the upload itself. */
const uploadOf: ChangeCondition = (id, tenant) =>
  `coalesce((select scans.ingestion_id from scans where scans.tenant_id = ${tenant} and scans.id = ${id}::uuid), ${id}::uuid)`;

const isFirst: ChangeCondition = (id, tenant) =>
  `${firstScan('findings')} = any(array(select scans.id from scans where scans.tenant_id = ${tenant}
     and (scans.id = ${id}::uuid or scans.ingestion_id = ${id}::uuid)))`;

const isIn: ChangeCondition = (id, tenant) =>
  `findings.id = any(array(select u.finding_id from scan_findings s
     cross join lateral unnest(s.finding_ids, s.scan_numbers) as u (finding_id, number)
     where s.tenant_id = ${tenant} and s.ingestion_id = ${uploadOf(id, tenant)} and u.number > 0
       and ${id}::uuid in (s.ingestion_id, s.scan_ids[u.number])))`;

const hasEvent = (changes: readonly FindingChange[], id: string, tenant: string) =>
  `findings.id = any(array(select e.finding_id from finding_events e
     where e.tenant_id = ${tenant} and e.ingestion_id = ${uploadOf(id, tenant)} and ${id}::uuid in (e.ingestion_id, e.scan_id)
       and e.change in (${changes.map((change) => `'${change}'`).join(', ')})))`;
