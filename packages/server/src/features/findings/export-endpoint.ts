import { Readable } from 'node:stream';
import type pg from 'pg';
import { READ_FINDINGS } from '../../auth/permissions.ts';
import { streamAsTenant } from '../../db/stream-as-tenant.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { exportRecords } from './export-records.ts';
import { exportRows, type FindingExport } from './export-rows.ts';
import { findingFilters } from './filters.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

const FORMATS = {
  csv: { mediaType: 'text/csv; charset=utf-8', extension: 'csv' },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson' },
  ocsf: { mediaType: 'application/json', extension: 'ocsf.json' },
} as const;

/** `GET /findings/export` */
export function exportEndpoint({ pool, blobs, publicUrl }: ApiDependencies): Endpoint {
  const stream = (exported: FindingExport, format: string) =>
    streamAsTenant(pool, exported.tenantId, (client: pg.ClientBase) =>
      format === 'csv' || format === 'ndjson'
        ? exportRows(client, exported, format)
        : exportRecords(client, blobs, exported),
    );
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
      options: { format: { description: 'The format of the file.', values: ['csv', 'ndjson', 'ocsf'] } },
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
      const format = query.options.get('format') ?? '';
      const { mediaType, extension } = FORMATS[format === 'csv' || format === 'ndjson' ? format : 'ocsf'];
      const consoleUrl = `${publicUrl()}/findings?finding=`;
      const rows = stream({ tenantId, query, consoleUrl }, format);
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
        try {
          if (first.done !== true) yield first.value;
          yield* rows;
        } catch (error) {
          request.log.error({ err: error }, 'an export was interrupted');
          throw error;
        } finally {
          await rows.return();
        }
      };
      await reply.send(Readable.from(content(), { objectMode: false }));
      return undefined;
    },
  };
}
