import type { Observation, PlannedUpload } from './planned-upload.ts';

/** An upload that created a job. IDs are in upload order. */
export interface KnownUpload {
  readonly id: string;
  readonly number: number;
  readonly plan: PlannedUpload;
}

/** Expected for a record that was valid, but whose provider was deleted later. */
export const DELETED = 'deleted';

/** The expected state of a finding. */
export interface ExpectedFinding {
  readonly winner: Observation;
  readonly ingestionId: string;
  readonly recordIndex: number;
  readonly firstTime: number;
  /** The first upload that is complete for the finding but does not contain it. */
  readonly resolvedBy?: Coverage;
}

/** The earliest record time of an upload in a scope that it is complete for. */
interface Coverage {
  readonly time: number;
  readonly ingestionId: string;
}

/** Identifies the finding of an observation. */
export function keyOf({ resourceUid, checkId }: Pick<Observation, 'resourceUid' | 'checkId'>): string {
  return `${resourceUid} ${checkId}`;
}

/**
 * Computes the state of every finding of a tenant, keyed by `keyOf`. The record with the latest time wins; ties go to
 * the later upload, then to the more severe result, then to the later position in the file. Does not depend on frames,
 * workers or the implementation of the service.
 */
export function expectedFindings(uploads: readonly KnownUpload[]): Map<string, ExpectedFinding> {
  const findings = new Map<string, ExpectedFinding>();
  for (const { id, plan } of uploads.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    for (const [recordIndex, { expected }] of plan.records.entries()) {
      if (typeof expected === 'string') continue;
      const current = findings.get(keyOf(expected));
      const firstTime = Math.min(expected.time, current?.firstTime ?? expected.time);
      // Uploads and records are visited in order, so the later record wins if everything else is equal.
      if (current === undefined || isBefore(current, expected, id))
        findings.set(keyOf(expected), { winner: expected, ingestionId: id, recordIndex, firstTime });
      else findings.set(keyOf(expected), { ...current, firstTime });
    }
  }
  const coverages = coveragesOf(uploads);
  for (const [key, finding] of findings) {
    const resolvedBy = firstCoverage(finding, coverages);
    if (resolvedBy !== undefined) findings.set(key, { ...finding, resolvedBy });
  }
  return findings;
}

/** The coverages of all uploads without invalid records, by account, or by account and check. */
function coveragesOf(uploads: readonly KnownUpload[]): ReadonlyMap<string, readonly Coverage[]> {
  const coverages = new Map<string, Coverage[]>();
  for (const { id, plan } of uploads) {
    const observations = plan.records.flatMap(({ expected }) =>
      typeof expected === 'string' ? [] : expected,
    );
    const isInvalid = plan.records.some(
      ({ expected }) => typeof expected === 'string' && expected !== DELETED,
    );
    if (plan.coverage === 'partial' || isInvalid) continue;
    const times = new Map<string, number>();
    for (const { account, checkId, hasProduct, time } of observations) {
      const scope = plan.coverage === 'account' ? account : `${account} ${checkId}`;
      if (hasProduct) times.set(scope, Math.min(time, times.get(scope) ?? time));
    }
    for (const [scope, time] of times)
      coverages.set(scope, [...(coverages.get(scope) ?? []), { time, ingestionId: id }]);
  }
  return coverages;
}

function firstCoverage(
  { winner: { account, checkId, hasProduct, time } }: ExpectedFinding,
  coverages: ReadonlyMap<string, readonly Coverage[]>,
): Coverage | undefined {
  if (!hasProduct) return undefined;
  return [account, `${account} ${checkId}`]
    .flatMap((scope) => coverages.get(scope) ?? [])
    .filter((coverage) => coverage.time > time)
    .sort((a, b) => a.time - b.time || (a.ingestionId < b.ingestionId ? -1 : 1))[0];
}

/** The names that each resource may have, by uid: those in its newest records, of any finding. */
export function expectedNames(uploads: readonly KnownUpload[]): ReadonlyMap<string, ReadonlySet<string>> {
  const newest = new Map<string, { readonly time: number; readonly names: Set<string> }>();
  for (const { expected } of uploads.flatMap(({ plan }) => plan.records)) {
    if (typeof expected === 'string') continue;
    const { resourceUid, resourceName, time } = expected;
    const current = newest.get(resourceUid);
    if (current?.time === time) current.names.add(resourceName);
    else if (current === undefined || current.time < time)
      newest.set(resourceUid, { time, names: new Set([resourceName]) });
  }
  return new Map(Array.from(newest, ([uid, { names }]) => [uid, names]));
}

const STATUSES = ['PASS', 'MANUAL', 'FAIL'];
const severityOf = ({ status, muted }: Observation) => STATUSES.indexOf(status) * 2 + Number(!muted);

function isBefore({ winner, ingestionId }: ExpectedFinding, next: Observation, id: string): boolean {
  if (winner.time !== next.time || ingestionId !== id) return winner.time <= next.time;
  return severityOf(winner) <= severityOf(next);
}

/** Counts the rejected records of an upload by error code. */
export function expectedErrors({ records }: PlannedUpload): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { expected } of records) {
    if (typeof expected === 'string') counts[expected] = (counts[expected] ?? 0) + 1;
  }
  return counts;
}
