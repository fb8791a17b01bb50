import { type DetectionFinding, severityName } from '@sluice/ocsf';
import type { ScanCount } from '../features/scans/scan-counts.ts';

type Counted = Pick<DetectionFinding, 'scanUid' | 'status' | 'muted' | 'severity' | 'time'>;

/** What one frame brought of one scan. */
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

/** Counts the records of one frame by scan: every record, also where several are of one finding. */
export class ScanTallies {
  readonly #tallies = new Map<string, OpenTally>();
  /** Records of one scan stand together as a rule. */
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

/** One scan of an upload as a map key; a provider's id cannot hold the separator, and no scan id is empty. */
export function scanKey(providerId: string, scanUid: string | null): string {
  return `${providerId}\0${scanUid ?? ''}`;
}

/** A record costs one addition here: how many there are of each kind, which `counts` adds up. */
class OpenTally implements ScanTally {
  readonly providerId: string;
  readonly uid: string | null;
  startedAt = Number.POSITIVE_INFINITY;
  endedAt = Number.NEGATIVE_INFINITY;
  readonly #kinds = new Map<number, { readonly of: Counted; records: number }>();

  constructor(providerId: string, uid: string | null) {
    this.providerId = providerId;
    this.uid = uid;
  }

  add(finding: Counted): void {
    const { status, muted, severity, time } = finding;
    const kind = (severity * STATUSES.length + STATUSES.indexOf(status)) * 2 + Number(muted);
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, { of: finding, records: 1 });
    else known.records++;
    if (time < this.startedAt) this.startedAt = time;
    if (time > this.endedAt) this.endedAt = time;
  }

  get counts(): ReadonlyMap<ScanCount, number> {
    const counts = new Map<ScanCount, number>();
    for (const { of, records } of this.#kinds.values())
      for (const name of countsOf(of)) counts.set(name, (counts.get(name) ?? 0) + records);
    return counts;
  }
}

/** The counts in which a record is. */
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
