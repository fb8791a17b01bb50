import { z } from 'zod';
import { blobKey } from '../../blobs/blob-store.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, documentOf } from '../../jsonapi/schemas.ts';
import { ingestionResourceType, READ_SUBMITTED_RECORDS } from '../../resources/ingestions.ts';
import { findRecord, type IngestionRecord } from './find-record.ts';
import { findWithFile } from './uploaded-file.ts';

const INGESTION_RECORDS = 'ingestion-records';

/** Longer records are truncated to this size, in bytes. */
const SHOWN_MAX_BYTES = 2 ** 16;

const ingestionRecords = describeResource({
  type: INGESTION_RECORDS,
  description: 'A record from an uploaded file, valid or invalid.',
  id: z.string(),
  attributes: {
    record_index: z.int().min(0).meta({ description: 'Index of the record in the file, starting at 0.' }),
    byte_offset: z
      .int()
      .min(0)
      .meta({ description: 'Offset of the record in the decompressed file, in bytes.' }),
    bytes: z.int().min(0).meta({ description: 'Size of the record in bytes, even if `raw` is truncated.' }),
    raw: z.string().meta({
      description: `The record as it was uploaded, or its first ${SHOWN_MAX_BYTES.toLocaleString('en')} bytes. Invalid UTF-8 is replaced with U+FFFD.`,
    }),
    truncated: z.boolean().meta({ description: 'Whether `raw` contains only the beginning of the record.' }),
  },
});

/** Converts a record to a resource object. */
function ingestionRecordResource(
  ingestionId: string,
  { recordIndex, byteOffset, bytes, shown }: IngestionRecord,
  fields?: ReadonlySet<string>,
) {
  const attributes = {
    record_index: recordIndex,
    byte_offset: byteOffset,
    bytes,
    raw: shown.toString(),
    truncated: shown.length < bytes,
  };
  return {
    type: INGESTION_RECORDS,
    id: `${ingestionId}.${recordIndex}`,
    attributes: selectFields(attributes, fields),
  };
}

/** The format of `record_index`. */
const INDEX = /^(?:0|[1-9]\d{0,14})$/;

/** The endpoint for a record in an uploaded file. Identifies the record by its index, as the job's errors do. */
export function ingestionRecordEndpoints({ pool, blobs }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/ingestions/{id}/records/{record_index}',
      resourceType: ingestionResourceType,
      params: {
        record_index: z.int().min(0).meta({ description: 'Index of the record in the file, starting at 0.' }),
      },
      operationId: 'getIngestionRecord',
      tag: 'Ingestions',
      summary: 'Get a record from an uploaded file',
      description:
        'Returns a record as it was uploaded, whether it is valid or not. The errors of a job refer to records by `record_index`.',
      access: READ_SUBMITTED_RECORDS,
      query: { fields: { [INGESTION_RECORDS]: ingestionRecords.attributes } },
      responses: { 200: { description: 'The record.', schema: documentOf(ingestionRecords) } },
      errors: [410],
      handle: async ({ access: { tenantId }, params, query }) => {
        const { id, requested_at } = await findWithFile(pool, tenantId, params.id);
        const index = params.record_index ?? '';
        const address = { tenantId, ingestionId: id, key: blobKey(tenantId, id, new Date(requested_at)) };
        const record = INDEX.test(index)
          ? await findRecord(
              { pool, blobs },
              { ...address, recordIndex: Number(index), maxBytes: SHOWN_MAX_BYTES },
            ).catch(async (error: unknown) => {
              // If garbage collection has removed the file in the meantime, this throws the 410 error.
              await findWithFile(pool, tenantId, params.id);
              throw error;
            })
          : undefined;
        if (record === undefined) throw notFound('The file of this ingestion has no record with this index.');
        const fields = query.fields.get(INGESTION_RECORDS);
        return { status: 200, document: { data: ingestionRecordResource(id, record, fields) } };
      },
    },
  ];
}
