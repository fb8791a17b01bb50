import { type DetectionFinding, severityName } from '@sluice/ocsf';
import type { ScanCount } from './scan-counts.ts';

type Counted = Pick<DetectionFinding, 'scanUid' | 'status' | 'muted' | 'severity' | 'time'>;

/** The records of one scan in one frame. */
export interface ScanTally {
  readonly providerId: string;
  readonly uid: string | null;
  readonly counts: ReadonlyMap<ScanCount, number>;
  /** The earliest and the latest record, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
const STATUS_COUNTS = { PASS: 'pass', FAIL: 'fail', MANUAL: 'manual' } as const;

/** Counts the records of one frame by scan. Repeated records of a finding are all counted. */
export class ScanTallies {
  readonly #tallies = new Map<string, OpenTally>();
  /** Cached, because records of one scan are usually adjacent. */
  #last: OpenTally | undefined;

  add(providerId: string, finding: Counted): void {
    if (this.#last?.providerId !== providerId || this.#last.uid !== finding.scanUid)
      this.#last = this.#tallyOf(providerId, finding.scanUid);
    this.#last.add(finding);
  }

  values(): readonly ScanTally[] {
    return [...this.#tallies.values()];
  }

  #tallyOf(providerId: string, uid: string | null): OpenTally {
    const key = scanKey(providerId, uid);
    const known = this.#tallies.get(key);
    if (known !== undefined) return known;
    const tally = new OpenTally(providerId, uid);
    this.#tallies.set(key, tally);
    return tally;
  }
}

/** Map key of a scan within an upload. A provider id cannot contain the separator, and no scan id is empty. */
export function scanKey(providerId: string, scanUid: string | null): string {
  return `${providerId}\0${scanUid ?? ''}`;
}

/** Counts records by severity, status and muting, with one addition per record; `counts` adds up the groups. */
class OpenTally implements ScanTally {
  readonly providerId: string;
  readonly uid: string | null;
  startedAt = Number.POSITIVE_INFINITY;
  endedAt = Number.NEGATIVE_INFINITY;
  readonly #groups = new Map<number, { readonly of: Counted; records: number }>();

  constructor(providerId: string, uid: string | null) {
    this.providerId = providerId;
    this.uid = uid;
  }

  add(finding: Counted): void {
    const { status, muted, severity, time } = finding;
    const group = (severity * STATUSES.length + STATUSES.indexOf(status)) * 2 + Number(muted);
    const known = this.#groups.get(group);
    if (known === undefined) this.#groups.set(group, { of: finding, records: 1 });
    else known.records++;
    if (time < this.startedAt) this.startedAt = time;
    if (time > this.endedAt) this.endedAt = time;
  }

  get counts(): ReadonlyMap<ScanCount, number> {
    const counts = new Map<ScanCount, number>();
    for (const { of, records } of this.#groups.values())
      for (const name of countsOf(of)) counts.set(name, (counts.get(name) ?? 0) + records);
    return counts;
  }
}

/** The counts to which a record contributes. */
function countsOf({ status, muted, severity }: Counted): readonly ScanCount[] {
  const name = severityName(severity);
  const failed: readonly ScanCount[] = status === 'FAIL' && !muted ? ['failed', `failed_${name}`] : [];
  return [
    'records',
    STATUS_COUNTS[status],
    `severity_${name}`,
    ...(muted ? ['muted' as const] : []),
    ...failed,
  ];
}
