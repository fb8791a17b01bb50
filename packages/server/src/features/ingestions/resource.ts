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
        'completed: all records were ingested. failed: at least one record was rejected, or the file is invalid; all valid records were ingested.',
    }),
    summary: z.strictObject({
      total: count.meta({ description: 'Records in the file.' }),
      processed: count.meta({ description: 'Records processed so far, valid or not.' }),
      invalid: count.meta({ description: 'Records that were rejected.' }),
    }),
    requested_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  },
  links: ['errors', 'warnings', 'file'],
  meta: {
    warnings: count.meta({ description: 'Warnings about records that were ingested.' }),
    file_name: z.string().nullable(),
    received_bytes: count,
    bytes: count.meta({ description: 'Size of the file after decompression.' }),
  },
});

/** Returns the URL of a job. */
export function ingestionUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${INGESTIONS}/${id}`;
}

/** Returns a job as a resource object. */
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

/** Returns the job as the first response showed it, for the response to a repeated request. */
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
