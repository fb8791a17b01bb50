import type { FastifyInstance } from 'fastify';
import { readAsTenant } from '../../db/transaction.ts';
import { API_PREFIX, document } from '../../jsonapi/document.ts';
import { pageLinks, paginationMeta } from '../../jsonapi/page.ts';
import {
  type Filter,
  type ListDescription,
  parseListQuery,
  type QueryString,
  selectFields,
} from '../../jsonapi/query.ts';
import { sendDocument } from '../../jsonapi/send-document.ts';
import { accessOf } from '../../plugins/access.ts';
import { type ApiDependencies, existingIngestion } from '../ingestions/routes.ts';
import { countsByCode, type IngestionErrorRow, listIngestionErrors } from './repository.ts';

const INGESTION_ERRORS = 'ingestion-errors';

const byCode: Filter = (value) => ({ sql: (bind) => `code = ${bind(value)}` });
const byCodes: Filter = (value) => ({
  sql: (bind) => `code = any(${bind(value.split(',').map((code) => code.trim()))})`,
});

const list: ListDescription = {
  type: INGESTION_ERRORS,
  attributes: ['code', 'detail', 'record_index', 'byte_offset', 'pointer', 'finding_uid'],
  filters: { code: byCode, code__in: byCodes },
  sorts: { byte_offset: 'byte_offset', record_index: 'ingestion_errors.record_index', code: 'code' },
  defaultSort: 'byte_offset',
};

export function registerIngestionErrors(
  app: FastifyInstance,
  { pool, limits, gate, publicUrl }: ApiDependencies,
): void {
  const onRequest = gate({ permission: 'manage_ingestions', subscription: true });
  app.get<{ Params: { id: string }; Querystring: QueryString }>(
    `${API_PREFIX}/ingestions/:id/errors`,
    { onRequest },
    async (request, reply) => {
      const { tenantId } = accessOf(request);
      const query = parseListQuery(request.query, list, limits);
      const { id } = await existingIngestion(pool, tenantId, request.params.id);
      const { rows, count, counts } = await readAsTenant(pool, tenantId, async (client) => ({
        ...(await listIngestionErrors(client, tenantId, id, query)),
        counts: await countsByCode(client, tenantId, id),
      }));
      const data = rows.map((row) => errorResource(id, row, query.fields));
      const links = pageLinks(publicUrl(), request.url, query.page, count);
      const meta = { pagination: paginationMeta(query.page, count), counts };
      return await sendDocument(reply, document(data, { links, meta }));
    },
  );
}

function errorResource(
  ingestionId: string,
  attributes: IngestionErrorRow,
  fields: ReadonlySet<string> | undefined,
) {
  return {
    type: INGESTION_ERRORS,
    id: `${ingestionId}.${attributes.byte_offset}.${attributes.code}`,
    attributes: selectFields({ ...attributes }, fields),
  };
}
