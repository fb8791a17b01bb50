import { z } from 'zod';
import { hasKeyIn } from '../../db/opaque-condition.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { FindingChange } from '../../ingest/changes/finding-state.ts';
import { firstScan } from '../../ingest/changes/timelines.ts';
import { type Condition, type Filter, type Filters, filter } from '../../jsonapi/filters.ts';
import { CHANGE_DESCRIPTIONS, CHANGES } from '../../resources/finding-changes.ts';
import { MAX_KEYS, UnpreparedCondition } from '../../resources/prepare-conditions.ts';
import { unsupportedOnPreviousLayout } from '../../resources/previous-layout.ts';

/** `filter[new_in]` and one filter for each other change: the findings that a scan or an upload changed. */
export const changeFilters: Filters = Object.fromEntries(
  CHANGES.map((change): [string, Filter] => [
    `${change}_in`,
    filter({
      description: `Returns findings that a scan or an upload, given by its ID, counts as ${change}. ${CHANGE_DESCRIPTIONS[change]} Add \`filter[state]=open,resolved\` to include findings that are resolved now.`,
      schema: z.uuid(),
      condition: (id) => new ChangeCondition(change, id),
    }),
  ]),
);

class ChangeCondition extends UnpreparedCondition {
  readonly #change: FindingChange;
  /** Of the scan or upload. */
  readonly #id: string;

  constructor(change: FindingChange, id: string) {
    super();
    this.#change = change;
    this.#id = id;
  }

  readonly previousSql = unsupportedOnPreviousLayout;

  /** The ids of a few findings lead to them through an index. Many are compared with a hash table. */
  override async prepare(client: Queryable, tenantId: string): Promise<readonly Condition[]> {
    const { candidates, isChanged } = CHANGED[this.#change];
    const { rows } = await client.query<{ id: string }>(
      `select findings.id from (${candidates('$2', '$1')}) as candidates (id)
       cross join lateral (select id, first_scan_id, delta, scan_id from findings
         where findings.tenant_id = $1 and findings.id = candidates.id offset 0) as findings
       where ${isChanged('$2', '$1')} limit ${MAX_KEYS + 1}`,
      [tenantId, this.#id],
    );
    if (rows.length <= MAX_KEYS) {
      const ids = rows.map(({ id }) => id);
      return [{ sql: (bind) => `findings.id = any(${bind(ids)}::uuid[])` }];
    }
    return [
      {
        sql: (bind, tenant) => {
          const id = bind(this.#id);
          return `${isAmong('findings.id', candidates(id, tenant))} and ${isChanged(id, tenant)}`;
        },
      },
    ];
  }
}

/** SQL with the placeholders of a scan or an upload, and of the tenant. */
type ChangeSql = (id: string, tenant: string) => string;

interface ChangedFindings {
  /** A query of the ids of findings. */
  readonly candidates: ChangeSql;
  /** Whether a candidate in `findings` has the change. */
  readonly isChanged: ChangeSql;
}

/** The upload of the scan, or the upload itself. */
const uploadOf: ChangeSql = (id, tenant) =>
  `coalesce((select scans.ingestion_id from scans where scans.tenant_id = ${tenant} and scans.id = ${id}::uuid), ${id}::uuid)`;

/** The findings in the scan or upload. */
const inUpload: ChangeSql = (id, tenant) =>
  `select u.finding_id from scan_findings s
     cross join lateral unnest(s.finding_ids, s.scan_numbers) as u (finding_id, number)
     where s.tenant_id = ${tenant} and s.ingestion_id = ${uploadOf(id, tenant)} and u.number > 0
       and ${id}::uuid in (s.ingestion_id, s.scan_ids[u.number])`;

const withEvent =
  (...changes: readonly FindingChange[]): ChangeSql =>
  (id, tenant) =>
    `select e.finding_id from finding_events e
     where e.tenant_id = ${tenant} and e.ingestion_id = ${uploadOf(id, tenant)} and ${id}::uuid in (e.ingestion_id, e.scan_id)
       and e.change in (${changes.map((change) => `'${change}'`).join(', ')})`;

const isFirst: ChangeSql = (id, tenant) =>
  isAmong(
    firstScan('findings'),
    `select scans.id from scans where scans.tenant_id = ${tenant} and (scans.id = ${id}::uuid or scans.ingestion_id = ${id}::uuid)`,
  );

const CHANGED: Readonly<Record<FindingChange, ChangedFindings>> = {
  new: { candidates: inUpload, isChanged: isFirst },
  reopened: { candidates: withEvent('reopened'), isChanged: () => 'true' },
  regressed: { candidates: withEvent('regressed'), isChanged: () => 'true' },
  fixed: { candidates: withEvent('fixed'), isChanged: () => 'true' },
  resolved: { candidates: withEvent('resolved'), isChanged: () => 'true' },
  unchanged: {
    candidates: inUpload,
    isChanged: (id, tenant) =>
      `not ${isFirst(id, tenant)} and not ${isAmong('findings.id', withEvent('reopened', 'regressed', 'fixed')(id, tenant))}`,
  },
};

/** PostgreSQL expects few elements of an array, and would use no hash table for a query that it expects to return many rows. */
function isAmong(column: string, query: string): string {
  return hasKeyIn(column, `select unnest(array(${query}))`);
}
