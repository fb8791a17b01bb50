import type pg from 'pg';
import type { PageStatement } from '../../db/paging/page-statement.ts';
import { ApiError, invalidParameter, notFound } from '../../jsonapi/errors.ts';
import type { PageRequest } from '../../jsonapi/page.ts';
import type { Query } from '../../jsonapi/query.ts';
import { exportColumns, type RowFormat } from './export-columns.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

const PARAMETER = 'page[after_values]';

/** The columns that determine the position of a finding and whose values can change, by sort key. */
const COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  // Findings with the same severity are sorted by status.
  [FINDING_SORTS.severity.sql, ['severity', 'status']],
  [FINDING_SORTS.status.sql, ['status']],
  [FINDING_SORTS.last_seen_at.sql, ['last_seen_at']],
  [FINDING_SORTS.first_seen_at.sql, ['first_seen_at']],
  [FINDING_SORTS.status_changed_at.sql, ['status_changed_at']],
  [FINDING_SORTS.resource.sql, ['resource_name', 'resource_uid']],
  [FINDING_SORTS.check_id.sql, []],
  [FINDING_SORTS.account.sql, []],
  [FINDING_SORTS.id.sql, []],
]);

/** Returns the position of a finding in the sort order. Throws an ApiError (404) if the finding does not exist. */
export async function positionOf(
  client: pg.ClientBase,
  { terms, values: [tenantId] }: PageStatement,
  id: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ position: readonly string[] }>(
    `select array[${terms.map(({ sql }) => `(${sql})::text`).join(', ')}] as position from findings
     where findings.tenant_id = $1 and findings.id = $2`,
    [tenantId, id],
  );
  const [row] = rows;
  if (row !== undefined) return row.position;
  throw notFound('No finding has this ID. Start the export again.', { parameter: 'page[after]' });
}

/**
 * Throws an ApiError (409) if the position of the finding after which an export continues has changed since the client
 * received it, because the findings between both positions would be missing or repeated. `from` is the `from` clause of
 * the finding with its texts.
 */
export async function assertUnmoved(
  client: pg.ClientBase,
  { sort }: Query,
  received: NonNullable<PageRequest['afterValues']>,
  format: RowFormat,
  from: string,
): Promise<void> {
  const names = new Set(
    sort.flatMap(({ sql }) => {
      const columns = COLUMNS.get(sql);
      if (columns === undefined) throw new Error(`the columns of the sort key ${sql} are unknown`);
      return columns;
    }),
  );
  if (names.size === 0) return;
  for (const name of names)
    if (!received.has(name))
      throw invalidParameter(
        PARAMETER,
        `The column '${name}' is missing. Send its value in the last finding.`,
      );
  const { rows } = await client.query<Readonly<Record<string, string | null>>>(
    `select ${exportColumns('', format, names)} from (select * ${from}) as findings`,
  );
  // An empty cell of a CSV file is null or an empty text.
  const hasChanged = [...names].some((name) => (rows[0]?.[name] ?? '') !== (received.get(name) ?? ''));
  if (hasChanged)
    throw new ApiError({
      status: 409,
      code: 'finding_changed',
      detail: 'The finding has changed since it was exported. Start the export again.',
      source: { parameter: PARAMETER },
    });
}
