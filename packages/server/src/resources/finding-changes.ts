import { SEVERITIES, type SeverityName } from '@sluice/ocsf';
import { z } from 'zod';
import { readChangeCounts } from '../ingest/changes/change-counts.ts';
import type { FindingChange } from '../ingest/changes/finding-state.ts';

/** The changes in the order in which the API returns them. */
export const CHANGES = [
  'new',
  'reopened',
  'regressed',
  'fixed',
  'unchanged',
  'resolved',
] as const satisfies readonly FindingChange[];

/** Each finding of a scan has the first of these changes that applies; `resolved` findings are not in the scan. */
export const CHANGE_DESCRIPTIONS: Readonly<Record<FindingChange, string>> = {
  new: 'Findings that had not been seen before.',
  reopened: 'Findings that were resolved before.',
  regressed: 'Findings whose status changed to FAIL.',
  fixed: 'Findings whose status changed from FAIL to PASS.',
  unchanged: 'All other findings in the file.',
  resolved: 'Findings that the upload is complete for, but does not contain.',
};

/** Path of the list of findings that a scan or an ingestion changed, below the prefix of the API. */
export function changedFindingsPath(change: FindingChange, id: string): string {
  const query = new URLSearchParams({ [`filter[${change}_in]`]: id, 'filter[state]': 'open,resolved' });
  return `/findings?${query}`;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The number of findings with each change. Null if an earlier release accepted the upload. */
export function changeTotals(
  counts: readonly number[] | null,
): Readonly<Record<FindingChange, number | null>> {
  const read = counts && readChangeCounts(counts);
  const total = (change: FindingChange) =>
    read && sum(SEVERITIES.map((severity) => read.of(change, severity)));
  return mapChanges(total);
}

const count = z.int().min(0);
const bySeverity = (description: string) => z.record(z.enum(SEVERITIES), count).meta({ description });

/** `meta.findings` of an ingestion. */
export const changedFindings = z
  .strictObject({
    ...mapChanges((change) => bySeverity(CHANGE_DESCRIPTIONS[change])),
    failed: bySeverity('Findings in the file with the status FAIL that are not muted.'),
    newly_failed: bySeverity('The failed findings that are new, reopened or regressed.'),
  })
  .nullable()
  .meta({
    description:
      'How the upload changed findings: the number of findings by severity, complete when the job has ended. Each finding in the file has one of the changes from `new` to `unchanged`, compared with its state just before. `null` if an earlier release accepted the upload.',
  });

/** The value of `changedFindings` for the counts of an ingestion. */
export function changedFindingsOf(counts: readonly number[] | null): z.infer<typeof changedFindings> {
  if (counts === null) return null;
  const read = readChangeCounts(counts);
  const each = (countOf: (severity: SeverityName) => number) =>
    Object.fromEntries(SEVERITIES.map((severity) => [severity, countOf(severity)])) as Record<
      SeverityName,
      number
    >;
  const failing = (changes: readonly FindingChange[]) =>
    each((severity) => sum(changes.map((change) => read.failing(change, severity))));
  return {
    ...mapChanges((change) => each((severity) => read.of(change, severity))),
    failed: failing(['new', 'reopened', 'regressed', 'unchanged']),
    newly_failed: failing(['new', 'reopened', 'regressed']),
  };
}

function mapChanges<Value>(of: (change: FindingChange) => Value): Record<FindingChange, Value> {
  return Object.fromEntries(CHANGES.map((change) => [change, of(change)])) as Record<FindingChange, Value>;
}
