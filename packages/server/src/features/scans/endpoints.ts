import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { dateFilters, equalityFilters, type Filters, searchIn } from '../../jsonapi/filters.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { INGESTIONS, ingestions } from '../ingestions/resource.ts';
import { PROVIDERS, providers } from '../providers/resource.ts';
import { INCLUDES, includedOf } from './included.ts';
import { FILE_NAME, findScansByIds, listScans } from './repository.ts';
import { SCANS, scanResource, scans } from './resource.ts';

const fields = {
  [SCANS]: scans.attributes,
  [PROVIDERS]: providers.attributes,
  [INGESTIONS]: ingestions.attributes,
};
const included = [providers, ingestions];

const filters: Filters = {
  ...equalityFilters('ingestion', 's.ingestion_id', z.uuid(), 'uuid'),
  ...equalityFilters('provider', 's.provider_id', z.uuid(), 'uuid'),
  ...equalityFilters('provider_type', 'p.type', z.string(), 'text'),
  ...equalityFilters('account', 'p.account', z.string(), 'text'),
  ...equalityFilters('uid', 's.uid', z.string(), 'text'),
  ...dateFilters('inserted_at', 's.inserted_at'),
  search: searchIn('Only those with this text in their uid, their account or the name of their file', [
    's.uid',
    'p.account',
    FILE_NAME,
  ]),
};

/** The endpoints of scans: what came in, and what it changed. */
export function scanEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const list: Endpoint = {
    method: 'GET',
    path: '/scans',
    operationId: 'listScans',
    tag: 'Scans',
    summary: 'List scans',
    access: {},
    query: {
      fields,
      includes: INCLUDES,
      filters,
      list: {
        sorts: {
          inserted_at: { sql: 's.inserted_at', type: 'timestamptz' },
          records: { sql: 's.records', type: 'bigint' },
          failed: { sql: 's.failed', type: 'bigint' },
        },
        defaultSort: '-inserted_at',
      },
    },
    answers: { 200: { description: 'A page of scans', schema: listOf(scans, { included }) } },
    handle: async ({ request, access: { tenantId }, query }) => {
      const { page, related } = await readAsTenant(pool, tenantId, async (client) => {
        const found = await listScans(client, tenantId, query);
        return {
          page: found,
          related: await includedOf(client, tenantId, found.rows, query, publicUrl()),
        };
      });
      const data = page.rows.map((row) => scanResource(row, publicUrl(), query.fields.get(SCANS)));
      return listAnswer({ data, included: related, page, query, request, publicUrl: publicUrl() });
    },
  };

  const get: Endpoint = {
    method: 'GET',
    path: '/scans/{id}',
    operationId: 'getScan',
    tag: 'Scans',
    summary: 'Get a scan',
    access: {},
    query: { fields, includes: INCLUDES },
    answers: { 200: { description: 'The scan', schema: documentOf(scans, { included }) } },
    handle: async ({ access: { tenantId }, params: { id }, query }) => {
      const { row, related } = await readAsTenant(pool, tenantId, async (client) => {
        const [found] = id !== undefined && isUuid(id) ? await findScansByIds(client, tenantId, [id]) : [];
        if (found === undefined) throw notFound('There is no scan with this id');
        return { row: found, related: await includedOf(client, tenantId, [found], query, publicUrl()) };
      });
      return {
        status: 200,
        document: {
          data: scanResource(row, publicUrl(), query.fields.get(SCANS)),
          ...(related !== undefined && { included: related }),
        },
      };
    },
  };
  return [list, get];
}
