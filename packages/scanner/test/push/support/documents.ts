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

/** A 202 response with a new job. */
export const accepted: Behavior = respond(202, job('pending'));

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
