import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { INGESTION_STATUSES, type IngestionRow } from './repository.ts';

export const INGESTIONS = 'ingestions';

const count = z.int().min(0);

/** An ingestion job (docs/specification.md, "Ingestion job"). */
export const ingestions = describeResource({
  type: INGESTIONS,
  description: 'The ingestion job of an uploaded file.',
  attributes: {
    status: z.enum(INGESTION_STATUSES).meta({
      description:
        '`pending` until processing starts, then `processing`. `completed` if all records were ingested. `failed` if at least one record was rejected or the file is invalid; valid records are still ingested.',
    }),
    summary: z
      .strictObject({
        total: count.meta({ description: 'Number of records in the file.' }),
        processed: count.meta({ description: 'Number of records processed so far, valid or not.' }),
        invalid: count.meta({ description: 'Number of rejected records.' }),
      })
      .meta({ description: 'Progress of the job.' }),
    requested_at: timestamp.meta({ description: 'Time at which the upload was accepted.' }),
    started_at: timestamp
      .nullable()
      .meta({ description: 'Time at which processing started. `null` if the job is pending.' }),
    completed_at: timestamp
      .nullable()
      .meta({ description: 'Time at which the job ended. `null` if it has not ended.' }),
  },
  links: ['errors', 'warnings', 'file'],
  meta: {
    warnings: count.meta({ description: 'Number of warnings about ingested records.' }),
    file_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the uploaded file. `null` if the upload has none.' }),
    received_bytes: count.meta({ description: 'Size of the file as received, in bytes.' }),
    bytes: count.meta({ description: 'Size of the file after decompression, in bytes.' }),
  },
});

/** Returns the URL of a job. */
export function ingestionUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${INGESTIONS}/${id}`;
}

/** Converts a job to a resource object. */
export function ingestionResource(row: IngestionRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const self = ingestionUrl(publicUrl, row.id);
  const { status, total, processed, invalid, requested_at, started_at, completed_at } = row;
  const attributes = {
    status,
    summary: { total, processed, invalid },
    requested_at,
    started_at,
    completed_at,
  };
  return {
    type: INGESTIONS,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: {
      errors: { links: { related: `${self}/errors` } },
      warnings: { links: { related: `${self}/warnings` } },
      file: { links: { related: `${self}/file` } },
    },
    links: { self },
    meta: {
      warnings: row.warnings,
      file_name: row.file_name,
      received_bytes: row.received_bytes,
      bytes: row.bytes,
    },
  };
}

/** Returns the job as it was in the first response, for responses to repeated requests. */
export function asAccepted(row: IngestionRow): IngestionRow {
  return {
    ...row,
    status: 'pending',
    processed: 0,
    invalid: 0,
    warnings: 0,
    started_at: null,
    completed_at: null,
  };
}
