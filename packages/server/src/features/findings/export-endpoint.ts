import { Readable } from 'node:stream';
import type pg from 'pg';
import { READ_FINDINGS } from '../../auth/permissions.ts';
import { streamAsTenant } from '../../db/stream-as-tenant.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { disconnectSignal } from '../../lib/client-disconnected.ts';
import { exportRecords } from './export-records.ts';
import { exportRows, type FindingExport, tooManyExports } from './export-rows.ts';
import { findingFilters } from './filters.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

/** `rows` is the format of the rows that PostgreSQL writes; `undefined` for the records as they were submitted. */
const FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8', extension: 'csv', rows: 'csv' },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson', rows: 'ndjson' },
  ocsf: { mediaType: 'application/json', extension: 'ocsf.json', rows: undefined },
} as const;
const FORMAT_NAMES = ['csv', 'ndjson', 'ocsf'] as const satisfies readonly (keyof typeof FORMATS)[];
type Format = (typeof FORMAT_NAMES)[number];

/** `GET /findings/export` */
export function exportEndpoint({ exportPool, blobs, publicUrl }: ApiDependencies): Endpoint {
  const stream = (exported: FindingExport, format: Format, signal: AbortSignal) => {
    const { rows } = FORMATS[format];
    if (exportPool.totalCount - exportPool.idleCount >= exportPool.options.max)
      throw tooManyExports('The server cannot run more exports at the moment.');
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
      'Returns all matching findings in one response, in the order of the findings list and as of one point in time. `ocsf` returns the records as they were submitted. A tenant can run one export at a time. To resume an interrupted export, remove its last line if that is incomplete, and send the ID of the last finding as `page[after]`; a finding that changed in the meantime may then be missing or appear twice.',
    access: READ_FINDINGS,
    query: {
      fields: {},
      options: { format: { description: 'The format of the file.', values: FORMAT_NAMES } },
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
    errors: [404, 410],
    handle: async ({ request, reply, access: { tenantId }, query }) => {
      const format = FORMAT_NAMES.find((name) => name === query.options.get('format')) ?? 'ocsf';
      const { mediaType, extension } = FORMATS[format];
      const consoleUrl = `${publicUrl()}/findings?finding=`;
      const rows = stream({ tenantId, query, consoleUrl }, format, disconnectSignal(reply.raw));
      // Errors before the first byte result in an error response.
      const first = await rows.next();
      reply.headers({
        'content-type': mediaType,
        'content-disposition': `attachment; filename="findings.${extension}"`,
      });
      if (request.method === 'HEAD') {
        await rows.return();
        await reply.send('');
        return undefined;
      }
      const content = async function* () {
        if (first.done !== true) yield first.value;
        yield* rows;
      };
      const body = Readable.from(content(), { objectMode: false });
      // If the client has disconnected, `content` never starts.
      body.once('close', () => void rows.return());
      await reply.send(body);
      return undefined;
    },
  };
}
