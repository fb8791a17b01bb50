import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { findExisting } from '../../api/resource-kind.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { equalityFilters } from '../../jsonapi/filters.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, listOf } from '../../jsonapi/schemas.ts';
import { ingestionKind } from '../ingestions/kind.ts';
import { countsByCode, type IngestionErrorRow, listIngestionErrors } from './repository.ts';

const INGESTION_ERRORS = 'ingestion-errors';

const ingestionErrors = describeResource({
  type: INGESTION_ERRORS,
  description: 'What was wrong with a record, or with the file',
  id: z.string(),
  attributes: {
    code: z.string(),
    detail: z.string(),
    record_index: z.int().min(0).nullable().meta({ description: 'Place in the array; null: of the file' }),
    byte_offset: z.int().min(0).meta({ description: 'In the inflated file' }),
    pointer: z.string().nullable().meta({ description: 'JSON Pointer (RFC 6901) inside the record' }),
    finding_uid: z.string().nullable(),
  },
});

const counts = z
  .record(z.string(), z.int())
  .meta({ description: 'How often each code occurred, exact also where not every error was kept' });

/** The errors of a job (specification, "Endpoints"). */
export function ingestionErrorEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/ingestions/{id}/errors',
      operationId: 'listIngestionErrors',
      tag: 'Ingestions',
      summary: 'List what was wrong with the records of a job',
      access: ingestionKind.access,
      query: {
        fields: { [INGESTION_ERRORS]: ingestionErrors.attributes },
        filters: equalityFilters('code', 'code', z.string(), 'text'),
        list: {
          sorts: {
            byte_offset: { sql: 'byte_offset', type: 'bigint' },
            record_index: { sql: 'ingestion_errors.record_index', type: 'bigint', nullable: true },
            code: { sql: 'code', type: 'text' },
          },
          defaultSort: 'byte_offset',
        },
      },
      answers: {
        200: { description: 'A page of errors', schema: listOf(ingestionErrors, { meta: { counts } }) },
      },
      handle: async ({ request, access: { tenantId }, params, query }) => {
        const { id, page, counted } = await readAsTenant(pool, tenantId, async (client) => {
          const { id } = await findExisting(ingestionKind, client, tenantId, params.id);
          const page = await listIngestionErrors(client, tenantId, id, query);
          return { id, page, counted: await countsByCode(client, tenantId, id) };
        });
        const fields = query.fields.get(INGESTION_ERRORS);
        const data = page.rows.map((row) => errorResource(id, row, fields));
        return listAnswer({ data, page, query, request, publicUrl: publicUrl(), meta: { counts: counted } });
      },
    },
  ];
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
