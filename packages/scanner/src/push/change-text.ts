import {
  FINDING_SEVERITIES,
  type FindingChanges,
  type SeverityCounts,
  sumCounts,
} from '../client/finding-changes.ts';

const CHANGES = ['new', 'reopened', 'regressed', 'fixed', 'unchanged', 'resolved'] as const;

/** How an upload changes findings as lines of text, without the changes that none of them has. */
export function changeLines(findings: FindingChanges): string[] {
  const changes = CHANGES.map((change) => [change, sumCounts(findings[change])] as const);
  const failed = FINDING_SEVERITIES.toReversed().map(
    (severity) => [severity, findings.newlyFailed[severity] ?? 0] as const,
  );
  return [`  Findings: ${countsText(changes)}`, `  Newly failed: ${countsText(failed)}`];
}

function countsText(counts: readonly (readonly [name: string, count: number])[]): string {
  const texts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return texts.length === 0 ? 'none' : texts.join(', ');
}

/** The counts with the property names of the service API. */
export function changesJson({
  newlyFailed,
  ...changes
}: FindingChanges): Readonly<Record<string, SeverityCounts>> {
  return { ...changes, newly_failed: newlyFailed };
}
