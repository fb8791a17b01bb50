import type { Ingestion } from './api/types.ts';
import { formatCount, pluralize } from './format-number.ts';

/** What has become of a job, or how far it is, as in `5,000 records, 50 with errors`. */
export function jobResult({ attributes: { status, summary } }: Ingestion): string {
  const { total, processed, invalid } = summary;
  if (status === 'pending') return `${pluralize(total, 'record')}, waiting to be processed`;
  if (status === 'processing') return `Processing ${formatCount(processed)} of ${formatCount(total)}`;
  const records = pluralize(total, 'record');
  if (status === 'completed') return `${records}, all good`;
  return invalid === 0
    ? `${records}, and an error of the file itself`
    : `${records}, ${formatCount(invalid)} with errors`;
}
