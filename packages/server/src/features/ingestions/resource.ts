import { API_PREFIX, type Resource } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import type { IngestionRow } from './repository.ts';

export const INGESTIONS = 'ingestions';
export const INGESTION_ATTRIBUTES = [
  'status',
  'summary',
  'requested_at',
  'started_at',
  'completed_at',
] as const;

/** The address of a job. */
export function ingestionUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${INGESTIONS}/${id}`;
}

/** A job as a resource object (specification, "Ingestion job"). */
export function ingestionResource(
  row: IngestionRow,
  publicUrl: string,
  fields?: ReadonlySet<string>,
): Resource {
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
    relationships: { errors: { links: { related: `${self}/errors` } } },
    links: { self },
    meta: { file_name: row.file_name, received_bytes: row.received_bytes, bytes: row.bytes },
  };
}

/** The job as the first answer showed it: a repeated request gets that one again. */
export function asAccepted(row: IngestionRow): IngestionRow {
  return { ...row, status: 'pending', processed: 0, invalid: 0, started_at: null, completed_at: null };
}
