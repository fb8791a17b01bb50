import { isRunning } from './api/get-ingestion.ts';
import type { Ingestion } from './api/types.ts';
import { CHANGES, sumCounts } from './finding-changes.ts';
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

/**
 * Describes how an upload changed findings, such as `Findings: 1 regressed, 12 new; 5 newly failing`. Returns `undefined`
 * if it has not ended, is a dry run, or has no findings.
 */
export function describeChanges(ingestion: Ingestion): string | undefined {
  const { dry_run, findings } = ingestion.meta;
  if (isRunning(ingestion) || dry_run || findings === null) return undefined;
  const counts = CHANGES.map((change) => ({ change, count: sumCounts(findings[change]) }));
  const counted = counts.filter(({ count }) => count > 0);
  const changed = counted.filter(({ change }) => change !== 'unchanged');
  const shown = changed.length > 0 ? changed : counted;
  if (shown.length === 0) return undefined;
  const text = shown.map(({ change, count }) => `${formatCount(count)} ${change}`).join(', ');
  const failing = sumCounts(findings.newly_failed);
  return `Findings: ${text}${failing > 0 ? `; ${formatCount(failing)} newly failing` : ''}`;
}
