import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import type { IngestionRecord } from './find-record.ts';

export const INGESTION_RECORDS = 'ingestion-records';

/** Of a record that is longer only its beginning is shown; in bytes. */
export const SHOWN_MAX_BYTES = 2 ** 16;

export const ingestionRecords = describeResource({
  type: INGESTION_RECORDS,
  description: 'A record of an uploaded file, good or bad',
  id: z.string(),
  attributes: {
    record_index: z.int().min(0).meta({ description: 'Place in the array, from 0 on' }),
    byte_offset: z.int().min(0).meta({ description: 'In the inflated file' }),
    bytes: z.int().min(0).meta({ description: 'Of the whole record' }),
    raw: z.string().meta({
      description: `The record as it was submitted, or its first ${SHOWN_MAX_BYTES} bytes; what is no UTF-8 in it is shown as U+FFFD`,
    }),
    truncated: z.boolean().meta({ description: 'Whether `raw` is only the beginning of the record' }),
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
