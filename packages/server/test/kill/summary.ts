import { VICTIM_TYPES } from './kill-plan.ts';
import type { KillReport } from './run-kill-test.ts';

const MAX_LINES = 20;

/** Returns the parameters and results of a run as a table. */
export function summaryOf({ seed, kills, sent, faults, ...report }: KillReport): string {
  const ofType = (type: string) => kills.filter((kill) => kill.type === type);
  const countInProgress = (selected: typeof kills) => selected.filter(({ hitWork }) => hitWork).length;
  const ended = (type: string) => sent.filter(({ outcome }) => outcome.type === type).length;
  const rows: readonly (readonly [string, number, string?])[] = [
    ['seed', seed],
    ['kills', kills.length, `${countInProgress(kills)} hit work in progress`],
    ...VICTIM_TYPES.map(
      (type) =>
        [`  ${type}`, ofType(type).length, `${countInProgress(ofType(type))} hit work in progress`] as const,
    ),
    ['uploads', sent.length],
    ['  202', ended('accepted')],
    [
      '    retried',
      sent.filter(({ requests }) => requests > 1).length,
      `${sent.filter(({ replayed }) => replayed).length} had been accepted without a response`,
    ],
    ['  rejected', ended('rejected')],
    ['  unknown', ended('unknown'), `${report.unknownComplete} are complete jobs; the others left nothing`],
    ['records', report.records],
    ['findings', report.findings],
    ['lost', faults.lost],
    ['duplicated', faults.duplicated],
    ['seconds', Math.round(report.seconds)],
  ];
  return rows
    .map(([name, value, note = '']) => `${name.padEnd(14)}${String(value).padStart(10)}  ${note}`.trimEnd())
    .join('\n');
}

/** Summarizes the faults and lists the first faults. Returns `undefined` if there are no faults. */
export function verdictOf({ seed, faults: { all }, log }: KillReport): string | undefined {
  if (all.length === 0) return undefined;
  const shown = all.slice(0, MAX_LINES).map((sentence) => `- ${sentence.slice(0, 1000)}`);
  const more = all.length > MAX_LINES ? [`- and ${all.length - MAX_LINES} more`] : [];
  return [
    `The kill test failed with the seed ${seed}: ${all.length} faults`,
    ...shown,
    ...more,
    'The service logged:',
    ...log.lines().slice(0, MAX_LINES),
  ].join('\n');
}
