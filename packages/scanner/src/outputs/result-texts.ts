import type { Paint } from '../terminal/text-table.ts';
import { type FindingCounts, percentage } from './count-findings.ts';

/** The overall result of a group of findings: FAIL if any finding failed, otherwise PASS if any finding passed. */
export function overallResult({ failed, passed, manual }: FindingCounts, paint: Paint): string {
  if (failed > 0) return paint('red', `FAIL (${failed})`);
  if (passed > 0) return paint('green', `PASS (${passed})`);
  return manual > 0 ? paint('yellow', `MANUAL (${manual})`) : paint('magenta', 'MUTED');
}

/** The counts by status on one line, with percentages. */
export function summaryLine(counts: FindingCounts, paint: Paint): string {
  const part = (count: number, label: string) => `${percentage(count, counts.total)} (${count}) ${label}`;
  return [
    paint('red', part(counts.failed, 'failed')),
    paint('green', part(counts.passed, 'passed')),
    paint('yellow', part(counts.manual, 'manual')),
    paint('magenta', part(counts.muted, 'muted')),
  ].join('   ');
}
