import { type Behavior, respond } from './behaviors.ts';

/** The job ID that the test servers return for every upload. */
export const JOB = '01990000-0000-7000-8000-000000000001';

const META = { version: 'v1' };

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed';

export function job(status: JobStatus, { total = 3, processed = 0, invalid = 0 } = {}) {
  return {
    data: { type: 'ingestions', id: JOB, attributes: { status, summary: { total, processed, invalid } } },
    meta: META,
  };
}

/** Numbers by name, such as the number of findings by severity. */
type Counts = Readonly<Record<string, number>>;

/** `meta.findings` of a job with these counts. Other counts are 0. */
export function changes(counts: Readonly<Record<string, Counts>> = {}) {
  const severities = ['unknown', 'informational', 'low', 'medium', 'high', 'critical', 'fatal', 'other'];
  const names = ['new', 'reopened', 'regressed', 'fixed', 'unchanged', 'resolved', 'failed', 'newly_failed'];
  const none = Object.fromEntries(severities.map((severity) => [severity, 0]));
  return Object.fromEntries(names.map((name) => [name, { ...none, ...counts[name] }]));
}

/** A 200 response with an ended job and how it changed findings; `null` if an earlier release accepted the upload. */
export function jobChanged(
  counts: Readonly<Record<string, Counts>> | null,
  {
    status = 'completed',
    invalid = 0,
    id = JOB,
    warnings = 0,
    coverage = 'partial',
  }: {
    readonly status?: JobStatus;
    readonly invalid?: number;
    readonly id?: string;
    readonly warnings?: number;
    readonly coverage?: string;
  } = {},
): Behavior {
  const { data, meta } = job(status, { processed: 3, invalid });
  const findings = counts === null ? null : changes(counts);
  return respond(200, { data: { ...data, id, meta: { findings, warnings, coverage } }, meta });
}

/** A response with findings that have these severities. */
export function findingList(findings: readonly Readonly<Record<string, unknown>>[]): Behavior {
  const data = findings.map(({ id, ...attributes }) => ({
    type: 'findings',
    id,
    attributes: {
      check_id: 'bucket_public',
      check_title: 'Buckets are not public',
      resource: { uid: 'arn:aws:s3:::one', name: 'one', type: 'Bucket' },
      account: '111122223333',
      ...attributes,
    },
  }));
  return respond(200, { data, meta: META });
}

/** A 202 response with a new job. */
export const accepted: Behavior = respond(202, job('pending'));

/** A 202 response with a new dry run. */
export const acceptedDryRun: Behavior = respond(202, dryRunJob('pending'));

/** A dry run, whose counts of changed findings are all 0. */
export function dryRunJob(...[status, summary]: Parameters<typeof job>) {
  const { data, meta } = job(status, summary);
  return { data: { ...data, meta: { dry_run: true, findings: changes() } }, meta };
}

/** A 200 response with the report of a dry run. */
export function dryRunReport({
  findings = {},
  accounts = [],
  total = accounts.length,
  errors = {},
  warnings = {},
}: {
  readonly findings?: Readonly<Record<string, Counts>>;
  /** The new accounts that are listed. */
  readonly accounts?: readonly Readonly<Record<string, unknown>>[];
  readonly total?: number;
  readonly errors?: Counts;
  readonly warnings?: Counts;
} = {}): Behavior {
  const attributes = {
    findings: changes(findings),
    new_providers: { total, listed: accounts },
    errors,
    warnings,
  };
  return respond(200, { data: { type: 'dry-runs', id: JOB, attributes }, meta: META });
}

/** A 200 response with the current state of a job. */
export function jobIs(
  status: JobStatus,
  summary: Parameters<typeof job>[1] = {},
  headers: Readonly<Record<string, string>> = {},
): Behavior {
  return respond(200, job(status, summary), headers);
}

export function limits(attributes: {
  readonly encodings: readonly string[];
  readonly upload_max_bytes?: number;
  readonly inflated_max_bytes?: number;
}): Behavior {
  return respond(200, { data: { type: 'limits', id: 'limits', attributes }, meta: META });
}

/** A response with a job's first errors and the error counts by code. */
export function jobErrors(
  errors: readonly Readonly<Record<string, unknown>>[],
  counts: Readonly<Record<string, number>>,
): Behavior {
  const data = errors.map((attributes, index) => ({
    type: 'ingestion-errors',
    id: String(index),
    attributes,
  }));
  return respond(200, { data, meta: { ...META, counts } });
}

/** A response with the warning that the coverage of the upload was not applied. */
export function coverageNotApplied(reason: string): Behavior {
  const code = 'coverage_not_applied';
  const attributes = { code, detail: `No findings were resolved: ${reason}.`, record_count: null };
  const data = [{ type: 'ingestion-warnings', id: '1', attributes }];
  return respond(200, { data, meta: { ...META, counts: { [code]: 1 } } });
}
