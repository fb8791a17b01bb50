import { type CheckTexts, SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { READ_FINDINGS } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import type { Queryable } from '../db/transaction.ts';
import type { ResourceType, TextLength } from '../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource } from '../jsonapi/schemas.ts';
import { briefText, briefTexts } from '../jsonapi/truncate-texts.ts';
import {
  allCheckCountsSql,
  type CheckCounts,
  countFindingsByCheck,
  needsCheckCounts,
} from './check-counts.ts';
import { CHECK_KEY_SQL, type CheckIdentity, checkKey, parseCheckKey } from './check-key.ts';
import { storedSeverity } from './stored-severity.ts';

const CHECKS = 'checks';

const count = z.int().min(0);
const text = (description: string) => z.string().nullable().meta({ description });

const checks = describeResource({
  type: CHECKS,
  description: 'A security check. Its text attributes are taken from its latest record.',
  id: z.string().meta({
    description:
      'Provider type and check ID, separated by a dot. In the provider type, `%` is encoded as `%25` and `.` as `%2E`.',
  }),
  attributes: {
    provider_type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
    check_id: z.string().meta({ description: 'Check ID assigned by the scanner.' }),
    title: text('Title of the check.'),
    description: text('Description of the check.'),
    risk: text('Risk if the check fails.'),
    remediation: text('How to resolve a failed check.'),
    references: z.array(z.string()).meta({ description: 'URLs with further information.' }),
    categories: z.array(z.string()).meta({ description: 'Categories of the check.' }),
    compliance: z.array(z.string()).meta({
      description:
        'Requirements of compliance frameworks, each after its framework, for example `CIS-1.5 1.20`.',
    }),
    severity: z.enum(SEVERITIES).nullable().meta({
      description:
        'Highest severity of its findings; `other` only if all of its findings have the severity `other`. `null` if no provider has findings for this check.',
    }),
    findings: z
      .strictObject({
        total: count.meta({ description: 'Number of findings.' }),
        failing: count.meta({ description: 'Number of findings with the status FAIL that are not muted.' }),
      })
      .meta({ description: 'Finding counts for this check.' }),
  },
  links: ['findings'],
});

/** A check whose texts come from its latest record. */
type StoredCheck = CheckIdentity & CheckTexts & { readonly key: string };

/** A check as returned by the API. */
export interface CheckRow extends StoredCheck {
  /** Absent if the request selects no attribute that requires finding counts. */
  readonly counts?: CheckCounts;
}

/** Converts a check to a resource object. */
function checkResource(row: CheckRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { counts, key: _, ...texts } = row;
  const id = checkKey(row);
  const filter = new URLSearchParams({
    'filter[provider_type]': row.provider_type,
    'filter[check_id]': row.check_id,
  });
  return {
    type: CHECKS,
    id,
    attributes: selectFields({ ...texts, ...(counts && countedAttributes(counts)) }, fields),
    relationships: { findings: { links: { related: `${publicUrl}${API_PREFIX}/findings?${filter}` } } },
    links: { self: `${publicUrl}${API_PREFIX}/${CHECKS}/${encodeURIComponent(id)}` },
  };
}

function countedAttributes({ total, failing, severity }: CheckCounts) {
  return { severity: severity === null ? null : storedSeverity(severity), findings: { total, failing } };
}

/** `text` and `texts` truncate long strings in lists. */
const columns = (text = (sql: string) => sql, texts = text) =>
  `key, provider_type, check_id, ${['title', 'description', 'risk', 'remediation'].map((name) => `${text(name)} as ${name}`).join(', ')},
  ${texts('"references"')} as "references", ${texts('categories')} as categories, ${texts('compliance')} as compliance`;
const BRIEF = columns(briefText, briefTexts);

/** Sort keys for checks. */
export const CHECK_SORTS = {
  check_id: { sql: 'check_id', type: 'text' },
  title: { sql: 'title', type: 'text', nullable: true },
  failing: { sql: 'coalesce((counts -> 1)::float8, 0)', type: 'float8' },
} as const;

/**
 * Counts the findings of all checks. Used only to sort by count, because it is slow. The counts are looked up in a JSON
 * object instead of joined, because without statistics for newly ingested rows, PostgreSQL would compare every check
 * with the counts of every check.
 */
const countedChecks = (counts: string) => `(with counted as materialized (
    select jsonb_object_agg(${CHECK_KEY_SQL}, jsonb_build_array(total, failing, severity)) as by_check
    from (${counts}) as counts)
  select checks.*, (select by_check from counted) -> ${CHECK_KEY_SQL} as counts from checks) as checks`;
const COUNTED_COLUMNS = `${BRIEF}, coalesce((counts -> 0)::float8, 0) as total,
  coalesce((counts -> 1)::float8, 0) as failing, (counts ->> 2)::int as severity`;

const TIE_BREAKER = [
  { sql: 'check_id', type: 'text', descending: false },
  { sql: 'provider_type', type: 'text', descending: false },
];

/** Selects a page of checks. Counts their findings only if the selected `fields` require counts. */
export async function listChecks(
  client: Queryable,
  tenantId: string,
  query: Query,
  fields: ReadonlySet<string> | undefined,
): Promise<SelectedPage<CheckRow>> {
  const isSortedByCount = query.sort.some(({ sql }) => sql === CHECK_SORTS.failing.sql);
  if (!isSortedByCount) {
    const source = { columns: BRIEF, table: 'checks', tieBreaker: TIE_BREAKER };
    const page = await selectPage<StoredCheck>(client, source, tenantId, query);
    return { ...page, rows: await withCounts(client, tenantId, page.rows, fields) };
  }
  const source = {
    columns: COUNTED_COLUMNS,
    table: countedChecks(await allCheckCountsSql(client, tenantId)),
    tieBreaker: TIE_BREAKER,
  };
  const page = await selectPage<StoredCheck & CheckCounts>(client, source, tenantId, query);
  const rows = page.rows.map(({ total, failing, severity, ...row }) => ({
    ...row,
    counts: { total, failing, severity },
  }));
  return { ...page, rows };
}

/** Returns the checks with these ids (`<provider_type>.<check_id>`), in any order. Unknown ids are skipped. */
async function findChecksByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
  fields?: ReadonlySet<string>,
  textLength: TextLength = 'full',
): Promise<CheckRow[]> {
  const requested = ids.map(parseCheckKey).filter((check) => check !== undefined);
  const { rows } = await client.query<StoredCheck>(
    `select ${textLength === 'brief' ? BRIEF : columns()} from checks join unnest($2::text[], $3::text[]) as w (provider_type, check_id)
       using (provider_type, check_id)
     where tenant_id = $1`,
    [
      tenantId,
      requested.map(({ provider_type }) => provider_type),
      requested.map(({ check_id }) => check_id),
    ],
  );
  return await withCounts(client, tenantId, rows, fields);
}

async function withCounts(
  client: Queryable,
  tenantId: string,
  rows: readonly StoredCheck[],
  fields: ReadonlySet<string> | undefined,
): Promise<CheckRow[]> {
  if (!needsCheckCounts(fields)) return [...rows];
  const countsOf = await countFindingsByCheck(client, tenantId, rows);
  return rows.map((row) => ({ ...row, counts: countsOf(row) }));
}

/** Checks. Requires `read_findings`. */
export const checkResourceType: ResourceType<CheckRow> = {
  resource: checks,
  access: READ_FINDINGS,
  isId: (text) => parseCheckKey(text) !== undefined,
  findByIds: findChecksByIds,
  toResource: checkResource,
  notFoundDetail: 'No check has this ID.',
};
