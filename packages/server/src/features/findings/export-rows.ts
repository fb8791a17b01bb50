import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { EXPORT_LOCK_CLASS, EXPORTS_PER_TENANT } from '../../db/advisory-locks.ts';
import { pageStatement } from '../../db/paging/page-statement.ts';
import { afterPosition } from '../../db/paging/position.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import type { Query } from '../../jsonapi/query.ts';
import { orderBy } from '../../jsonapi/sort.ts';
import { checkColumns, exportColumns, type RowFormat } from './export-columns.ts';
import { packTerms } from './packed-terms.ts';
import { findingSource } from './repository.ts';
import { assertUnmoved, positionOf } from './resume-export.ts';

const RETRY_SECONDS = 10;
const CHUNK_BYTES = 2 ** 16;

/** The findings of an export, in order. */
export interface FindingExport {
  readonly tenantId: string;
  readonly query: Query;
  /** Start of the link to a finding in the console. */
  readonly consoleUrl: string;
}

/**
 * Yields all findings that match the query, in its order, as a file. PostgreSQL formats the rows, so that the process
 * only passes bytes on. The transaction must be restricted to the tenant.
 */
export async function* exportRows(
  client: pg.ClientBase,
  exported: FindingExport,
  format: RowFormat,
): AsyncGenerator<Buffer, void> {
  const { sorted } = await exportedFindings(client, exported, format);
  const columns = exportColumns(exported.consoleUrl, format);
  const source = `(select * ${sorted}) as findings`;
  // Without the header line, so that a resumed export continues the file.
  const isResumed = exported.query.page.after !== undefined;
  const statement =
    format === 'csv'
      ? `copy (select ${columns} from ${source}) to stdout (format csv, header ${!isResumed})`
      : // JSON never contains these control characters, so COPY writes each line as it is.
        `copy (select row_to_json(line) from (select ${columns} from ${source}) as line)
           to stdout (format csv, delimiter E'\\x02', quote E'\\x01')`;
  yield* inChunks(client.query(copyTo(statement)));
}

/** COPY returns about one chunk per row, which is too small for a response. */
async function* inChunks(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of rows) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(pieces);
}

/** Findings of the previous release have no keys yet. */
const CHECK_BY_ID = 'checks.provider_type = findings.provider_type and checks.check_id = findings.check_id';

/**
 * The `from` clauses of the findings: `from` with their stored columns in any order, `sorted` with their texts. All
 * values are literals, because COPY does not support parameters. Throws an ApiError (429) if the tenant already exports
 * findings, and an ApiError (404 or 409) if the export cannot continue after a finding.
 */
export async function exportedFindings(
  client: pg.ClientBase,
  { tenantId, query }: FindingExport,
  format: RowFormat,
): Promise<{ readonly from: string; readonly sorted: string }> {
  await takeSlot(client, tenantId);
  const { source, isPrevious, ...rest } = await findingSource(client, tenantId, query, (sql) => sql);
  const statement = pageStatement(source, tenantId, { ...query, ...rest });
  const { where, terms, tenant, values } = statement;
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const keys = packTerms(terms);
  const order = `order by ${orderBy(keys.map((key, at) => ({ ...key, sql: `key_${at}` })))}`;
  const columns = keys.map(({ sql }, at) => `${sql} as key_${at}`);
  const select = (conditions: readonly string[]) =>
    `select findings.*, ${columns.join(', ')} from findings where ${conditions.join(' and ')}`;
  // The findings are sorted before the texts are added, which take much more space.
  const text = (rows: string) => `from (select ${source.columns}, findings.check_key, findings.frame,
      findings.record_offset, findings.record_bytes, ${keys.map((_, at) => `key_${at}`).join(', ')}
    from (${rows}) as findings ${source.joins}) as findings
    left join lateral (select ${checkColumns(format)} from checks
      where checks.tenant_id = ${tenant} and ${isPrevious ? CHECK_BY_ID : 'checks.key = findings.check_key'} offset 0) as checks on true
    left join lateral (select alias as account_alias from providers
      where providers.tenant_id = ${tenant} and providers.id = findings.provider_id offset 0) as aliases on true`;
  const withLiterals = (sql: string) =>
    sql.replace(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]));
  const [id] = query.page.after ?? [];
  const { afterValues } = query.page;
  const after: string[] = [];
  if (id !== undefined) {
    const finding = [`findings.tenant_id = ${tenant}`, `findings.id = ${bind(id)}`];
    after.push(afterPosition(terms, await positionOf(client, statement, id), bind));
    if (afterValues !== undefined)
      await assertUnmoved(client, query, afterValues, format, withLiterals(text(select(finding))));
  }
  const matching = select([...where, ...after]);
  return {
    from: withLiterals(`from (${matching}) as findings`),
    // PostgreSQL does not sort them again.
    sorted: withLiterals(`${text(`${matching} ${order}`)} ${order}`),
  };
}

async function takeSlot(client: pg.ClientBase, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($2, hashtext($1)) as locked',
    [tenantId, EXPORT_LOCK_CLASS],
  );
  if (rows[0]?.locked !== true) throw tooManyExports('tenant', EXPORTS_PER_TENANT);
}

/** The error for an export that exceeds the limit of the tenant (429) or of the process (503). */
export function tooManyExports(scope: 'all' | 'tenant', max: number): ApiError {
  const isOfTenant = scope === 'tenant';
  return new ApiError({
    status: isOfTenant ? 429 : 503,
    code: 'too_many_exports',
    detail: `${isOfTenant ? 'Another export of this tenant is in progress' : `The limit is ${max} concurrent exports, and all of them are in progress`}. Try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    meta: { limit: isOfTenant ? 'exports_at_once_per_tenant' : 'exports_at_once', max },
  });
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(arrayElement).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

function arrayElement(value: unknown): string {
  return value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}
