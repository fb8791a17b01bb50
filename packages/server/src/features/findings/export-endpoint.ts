import { Readable } from 'node:stream';
import type pg from 'pg';
import { READ_FINDINGS } from '../../auth/permissions.ts';
import { streamAsTenant } from '../../db/stream-as-tenant.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { invalidParameter } from '../../jsonapi/errors.ts';
import type { Query } from '../../jsonapi/query.ts';
import { disconnectSignal } from '../../lib/client-disconnected.ts';
import { logStreamFailure } from '../../lib/log-stream-failure.ts';
import type { RowFormat } from './export-columns.ts';
import { exportRecords } from './export-records.ts';
import { exportRows, type FindingExport, tooManyExports } from './export-rows.ts';
import { findingFilters } from './filters.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

interface Format {
  readonly mediaType: string;
  readonly extension: string;
  /** The format of the rows that PostgreSQL writes; `undefined` for the records as they were submitted. */
  readonly rows: RowFormat | undefined;
}

/** The values of `format`. */
const FORMATS: Readonly<Record<string, Format>> = {
  csv: { mediaType: 'text/csv; charset=utf-8', extension: 'csv', rows: 'csv' },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson', rows: 'ndjson' },
  ocsf: { mediaType: 'application/json', extension: 'ocsf.json', rows: undefined },
};

/** `GET /findings/export` */
export function exportEndpoint({ exportPool, blobs, publicUrl }: ApiDependencies): Endpoint {
  const stream = (exported: FindingExport, { rows }: Format, signal: AbortSignal) => {
    const { max } = exportPool.options;
    if (exportPool.totalCount - exportPool.idleCount >= max) throw tooManyExports('all', max);
    return streamAsTenant(exportPool, exported.tenantId, signal, (client: pg.ClientBase) =>
      rows === undefined ? exportRecords(client, blobs, exported) : exportRows(client, exported, rows),
    );
  };
  return {
    method: 'GET',
    path: '/findings/export',
    operationId: 'exportFindings',
    tag: 'Findings',
    summary: 'Export findings',
    description:
      'Returns all matching findings in one response, in the order of the findings list and as of one point in time. `ocsf` returns the records as they were submitted. A tenant can run one export at a time. To resume an interrupted export as CSV or NDJSON, remove the last line if it is incomplete, and send the ID of the last finding as `page[after]` and its values as `page[after_values]`. The response then has no header line. If the finding has moved in the sort order, the response is 409 (`finding_changed`): start the export again. An export as OCSF cannot be resumed.',
    access: READ_FINDINGS,
    query: {
      fields: {},
      options: { format: { description: 'The format of the file.', values: Object.keys(FORMATS) } },
      filters: findingFilters,
      list: { sorts: FINDING_SORTS, defaultSort: '-severity', isWhole: true },
    },
    responses: {
      200: {
        description: 'The findings.',
        mediaTypes: Object.values(FORMATS).map(({ mediaType }) => mediaType),
        headers: { 'Content-Disposition': 'Contains a file name.' },
      },
    },
    errors: [404, 409, 410],
    handle: async ({ request, reply, access: { tenantId }, query }) => {
      const format = formatOf(query);
      const consoleUrl = `${publicUrl()}/findings?finding=`;
      const rows = stream({ tenantId, query, consoleUrl }, format, disconnectSignal(reply.raw));
      // Errors before the first byte result in an error response.
      const first = await rows.next();
      reply.headers({
        'content-type': format.mediaType,
        'content-disposition': `attachment; filename="findings.${format.extension}"`,
      });
      if (request.method === 'HEAD') {
        await rows.return();
        // Not a string, which would have a Content-Length (RFC 9110, section 8.6).
        await reply.send(Readable.from([]));
        return undefined;
      }
      const content = async function* () {
        if (first.done !== true) yield first.value;
        yield* rows;
      };
      const watched = logStreamFailure(content(), (error) => {
        request.log.error({ err: error }, 'an export was interrupted because its findings could not be read');
      });
      const body = Readable.from(watched, { objectMode: false });
      // If the client has disconnected, `content` never starts.
      body.once('close', () => void rows.return());
      await reply.send(body);
      return undefined;
    },
  };
}

/** Throws an ApiError (400) if the export cannot be resumed. */
function formatOf({ options, page }: Query): Format {
  const format = FORMATS[options.get('format') ?? ''];
  if (format === undefined) throw new Error('the query has no format');
  if (page.after !== undefined && format.rows === undefined)
    throw invalidParameter(
      'page[after]',
      'An export as OCSF cannot be resumed, because its records have no finding IDs. Start the export again.',
    );
  return format;
}
