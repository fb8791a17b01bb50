import { type Act, respond } from './acts.ts';

/** The id of the job that the servers of these tests give to every upload. */
export const JOB = '01990000-0000-7000-8000-000000000001';

const META = { version: 'v1' };

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed';

export function job(status: JobStatus, { total = 3, processed = 0, invalid = 0 } = {}) {
  return {
    data: { type: 'ingestions', id: JOB, attributes: { status, summary: { total, processed, invalid } } },
    meta: META,
  };
}

/** 202 and a new job. */
export const accepted: Act = respond(202, job('pending'));

/** 200 and the job as it is now. */
export function jobIs(
  status: JobStatus,
  summary: Parameters<typeof job>[1] = {},
  headers: Readonly<Record<string, string>> = {},
): Act {
  return respond(200, job(status, summary), headers);
}

export function limits(attributes: {
  readonly encodings: readonly string[];
  readonly upload_max_bytes?: number;
  readonly inflated_max_bytes?: number;
}): Act {
  return respond(200, { data: { type: 'limits', id: 'limits', attributes }, meta: META });
}

/** The errors of a job: the first of them, and how many there are by code. */
export function jobErrors(
  errors: readonly Readonly<Record<string, unknown>>[],
  counts: Readonly<Record<string, number>>,
): Act {
  const data = errors.map((attributes, index) => ({
    type: 'ingestion-errors',
    id: String(index),
    attributes,
  }));
  return respond(200, { data, meta: { ...META, counts } });
}
