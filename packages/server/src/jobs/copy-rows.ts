import type { FindingRow } from './finding-row.ts';

/** The columns a frame brings, in the order in which `copyText` writes them, with their types. */
export const INCOMING_COLUMNS = [
  ['id', 'uuid'],
  ['provider_id', 'uuid'],
  ['record_index', 'bigint'],
  ['record_offset', 'integer'],
  ['record_bytes', 'integer'],
  ['status', 'finding_status'],
  ['severity', 'smallint'],
  ['muted', 'boolean'],
  ['first_seen_at', 'timestamptz'],
  ['last_seen_at', 'timestamptz'],
  ['status_changed_at', 'timestamptz'],
  ['other_status_at', 'timestamptz'],
  ['check_id', 'text'],
  ['uid', 'text'],
  ['resource_uid', 'text'],
  ['resource_name', 'text'],
  ['resource_type', 'text'],
  ['region', 'text'],
  ['service', 'text'],
  ['scan_uid', 'text'],
  ['status_detail', 'text'],
] as const;

/** What a row takes as a rule; the buffer grows where rows are longer. */
const ROW_BYTES = 600;
/** Bytes that one UTF-16 unit takes at most in UTF-8. */
const UNIT_BYTES = 3;

/**
 * The rows in the text format of COPY (PostgreSQL, "COPY", File Formats). Written out by hand, because this is
 * a tenth of a worker's time: a loop over the columns took twice as long. Each row goes into the buffer at once,
 * so that its text does not outlive it; as one text of all rows it kept the garbage collector busy.
 */
export function copyText(rows: readonly FindingRow[]): Buffer {
  const time = cached((ms: number) => new Date(ms).toISOString());
  let buffer = Buffer.allocUnsafeSlow(rows.length * ROW_BYTES);
  let at = 0;
  for (const row of rows) {
    const { finding } = row;
    const otherStatusAt = row.otherStatusAt === null ? '\\N' : time(row.otherStatusAt);
    const numbers = `${row.recordIndex}\t${row.offset}\t${row.bytes}\t${finding.status}\t${finding.severity}\t${finding.muted}`;
    const times = `${time(row.firstSeenAt)}\t${time(finding.time)}\t${time(row.statusChangedAt)}\t${otherStatusAt}`;
    const names = `${cell(finding.checkId)}\t${cell(finding.uid)}\t${cell(finding.resourceUid)}\t${cell(finding.resourceName)}`;
    const places = `${cell(finding.resourceType)}\t${cell(finding.region)}\t${cell(finding.service)}\t${cell(finding.scanUid)}`;
    const line = `${row.id}\t${row.providerId}\t${numbers}\t${times}\t${names}\t${places}\t${cell(finding.statusDetail)}\n`;
    const most = line.length * UNIT_BYTES;
    if (at + most > buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2 + most);
    at += buffer.write(line, at);
  }
  return buffer.subarray(0, at);
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function cell(text: string | null): string {
  if (text === null) return '\\N';
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (special) => ESCAPES[special] ?? special) : text;
}

/** Most rows of a file share their times. */
function cached(format: (value: number) => string): (value: number) => string {
  let last = Number.NaN;
  let text = '';
  return (value) => {
    if (value !== last) {
      last = value;
      text = format(value);
    }
    return text;
  };
}
