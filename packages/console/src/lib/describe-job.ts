import type { Ingestion } from './api/types.ts';
import { formatCount, pluralize } from './format-number.ts';

/** Describes the result or the progress of a job, such as `5,000 records, 50 with errors`. */
export function describeJob({ attributes: { status, summary } }: Ingestion): string {
  const { total, processed, invalid } = summary;
  if (status === 'pending') return `${pluralize(total, 'record')}, queued for processing`;
  if (status === 'processing') return `Processed ${formatCount(processed)} of ${pluralize(total, 'record')}`;
  const records = pluralize(total, 'record');
  if (status === 'completed') return `${records}, no errors`;
  return invalid === 0 ? `${records}, 1 file error` : `${records}, ${formatCount(invalid)} with errors`;
}
