import { type FindingCounts, percentage } from './count-findings.ts';
import type { Paint } from './paint.ts';

/** How the whole of some findings ended: any FAIL is a fail, and only a real PASS is a pass. */
export function outcome({ failed, passed, manual }: FindingCounts, paint: Paint): string {
  if (failed > 0) return paint('red', `FAIL (${failed})`);
  if (passed > 0) return paint('green', `PASS (${passed})`);
  return manual > 0 ? paint('yellow', `MANUAL (${manual})`) : paint('magenta', 'MUTED');
}

/** All findings in one line, each part with its share of the total. */
export function overview(counts: FindingCounts, paint: Paint): string {
  const part = (count: number, word: string) => `${percentage(count, counts.total)} (${count}) ${word}`;
  return [
    paint('red', part(counts.failed, 'failed')),
    paint('green', part(counts.passed, 'passed')),
    paint('yellow', part(counts.manual, 'manual')),
    paint('magenta', part(counts.muted, 'muted')),
  ].join('   ');
}
