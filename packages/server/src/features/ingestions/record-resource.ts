import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import type { IngestionRecord } from './find-record.ts';

export const INGESTION_RECORDS = 'ingestion-records';

/** Longer records are truncated to this size, in bytes. */
export const SHOWN_MAX_BYTES = 2 ** 16;

export const ingestionRecords = describeResource({
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
export function ingestionRecordResource(
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
