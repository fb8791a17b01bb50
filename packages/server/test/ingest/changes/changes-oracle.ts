import type { CHANGES } from '../../../src/resources/finding-changes.ts';
import { record } from '../../support/records.ts';

export const EPOCH = 1_780_000_000;
export const HOUR = 3600;
export const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export const COVERAGES = ['partial', 'checks', 'account'] as const;
export const CHECKS = ['check-1', 'check-2'];
export const RESOURCES = ['one', 'two', 'three', 'four', 'five'];

export interface Observation {
  readonly check: string;
  readonly resource: string;
  /** Hours after the epoch. */
  readonly time: number;
  readonly status: (typeof STATUSES)[number];
  readonly muted: boolean;
  readonly severity: (typeof SEVERITIES)[number];
}

export interface Upload {
  readonly coverage: (typeof COVERAGES)[number];
  readonly records: readonly Observation[];
}

type Change = (typeof CHANGES)[number];

/** What an upload does to a finding, as text. */
export interface Step {
  readonly uid: string;
  readonly upload: number;
  readonly time: number;
  readonly change: Change;
  readonly isEvent: boolean;
  readonly severity: string;
  readonly isFailed: boolean;
}

export const uidOf = ({ check, resource }: Observation) => `${check} ${resource}`;

export function recordOf(account: string, one: Observation): Record<string, unknown> {
  return record({
    time: EPOCH + one.time * HOUR,
    status_code: one.status,
    status_id: one.muted ? 3 : 1,
    severity: one.severity,
    severity_id: SEVERITIES.indexOf(one.severity) + 2,
    metadata: { event_code: one.check, product: { name: 'Scanner' } },
    finding_info: { uid: uidOf(one) },
    resources: [{ uid: one.resource }],
    cloud: { provider: 'aws', account: { uid: account } },
  });
}

/** What the uploads do according to the definition, which is in the order of time and not in that of processing. */
export function expectedSteps(uploads: readonly Upload[]): readonly Step[] {
  const rank = ({ status, muted }: Observation) =>
    ['PASS', 'MANUAL', 'FAIL'].indexOf(status) * 2 + (muted ? 0 : 1);
  const winners = uploads.flatMap(({ records }, upload) => {
    const newest = new Map<string, Observation & { readonly upload: number }>();
    for (const one of records.toSorted((a, b) => a.time - b.time || rank(a) - rank(b)))
      newest.set(uidOf(one), { ...one, upload });
    return [...newest.values()];
  });
  const steps: Step[] = [];
  for (const [uid, sightings] of Map.groupBy(winners, uidOf)) {
    const sorted = sightings.toSorted((a, b) => a.time - b.time || a.upload - b.upload);
    for (const [index, now] of sorted.entries()) {
      const last = index === 0 ? undefined : sorted[index - 1];
      const resolvedBy = last && coverageAfter(uploads, last, now);
      const change = changeOf(last, now, resolvedBy !== undefined);
      const step = { uid, severity: now.severity, isFailed: now.status === 'FAIL' && !now.muted };
      const isEvent = change !== 'unchanged' || last?.status !== now.status || last.muted !== now.muted;
      // The first record counts, even if the same upload has a newer one.
      const time = change === 'new' ? firstTime(uploads, now) : now.time;
      steps.push({ ...step, upload: now.upload, time, change, isEvent });
      const next = sorted[index + 1];
      const resolution = coverageAfter(uploads, now, next);
      if (resolution !== undefined) steps.push({ ...step, ...resolution, change: 'resolved', isEvent: true });
    }
  }
  return steps;
}

function firstTime(uploads: readonly Upload[], one: Observation & { readonly upload: number }): number {
  const records = uploads[one.upload]?.records.filter((other) => uidOf(other) === uidOf(one)) ?? [];
  return Math.min(...records.map(({ time }) => time));
}

function changeOf(last: Observation | undefined, now: Observation, wasResolved: boolean): Change {
  if (last === undefined) return 'new';
  if (wasResolved) return 'reopened';
  if (last.status !== 'FAIL' && now.status === 'FAIL') return 'regressed';
  return last.status === 'FAIL' && now.status === 'PASS' ? 'fixed' : 'unchanged';
}

/** The first coverage after a record, and not after the next one of the finding. */
function coverageAfter(
  uploads: readonly Upload[],
  one: Observation,
  next: Observation | undefined,
): { readonly time: number; readonly upload: number } | undefined {
  return uploads
    .map(({ coverage, records }, upload) => {
      const scope = records.filter(({ check }) => coverage === 'account' || check === one.check);
      const isComplete =
        coverage !== 'partial' && scope.length > 0 && !records.some((other) => uidOf(other) === uidOf(one));
      return { upload, time: isComplete ? Math.min(...scope.map(({ time }) => time)) : -1 };
    })
    .filter(({ time }) => time > one.time && (next === undefined || time <= next.time))
    .sort((a, b) => a.time - b.time || a.upload - b.upload)[0];
}
