import type { Client, Ingestion } from './client.ts';
import { record } from './records.ts';
import type { TenantService } from './service.ts';

type Status = 'pending' | 'processing' | 'completed' | 'failed';

/**
 * The attributes of a job that lists use. Times are formatted as in the API, so that they sort correctly as strings.
 */
export interface ListedJob {
  readonly id: string;
  readonly file_name: string;
  readonly status: Status;
  readonly inserted_at: string;
  readonly requested_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly attributes: Ingestion['attributes'];
}

const STATUSES = ['completed', 'failed', 'processing', 'pending', 'completed'] as const;
const SPECIAL_NAMES = [
  '100% done.json',
  'Snake_Case.json',
  'snake-case.json',
  'back\\slash a=b.json',
  'Prüfung & more.json',
];
/** The first and last microsecond of a day, and the microseconds before and after the day. */
const EDGES = [
  '2026-02-28T23:59:59.999999Z',
  '2026-03-01T00:00:00.000000Z',
  '2026-03-01T23:59:59.999999Z',
  '2026-03-02T00:00:00.000000Z',
];
const COUNT = 23;

/**
 * Creates 23 jobs for the client and one job for another tenant, then sets the names, statuses and times of the 23 jobs
 * with SQL. Each time attribute sorts the jobs differently, and `started_at` has only a few distinct values.
 */
export async function seedJobs(
  service: TenantService,
  client: Client,
  otherClient: Client,
): Promise<ListedJob[]> {
  await otherClient.ingest([record()], { fileName: 'other-tenant.json' });
  const uploaded = await Promise.all(Array.from({ length: COUNT }, () => client.ingest([record()])));
  const jobs = uploaded.map(({ id, attributes }, index): ListedJob => {
    const status = STATUSES[index % STATUSES.length] ?? 'completed';
    const ended = status === 'completed' || status === 'failed';
    return {
      id,
      attributes,
      file_name: SPECIAL_NAMES[index] ?? `plain-${index}.json`,
      status,
      inserted_at: EDGES[index - 6] ?? minute(index),
      requested_at: minute((index * 7) % COUNT),
      started_at: status === 'pending' ? null : minute(index % 3),
      completed_at: ended ? (EDGES[ENDED.indexOf(index) - 2] ?? minute((index * 11) % COUNT)) : null,
    };
  });
  await service.sql(
    `update ingestions as i set file_name = v.file_name, status = v.status, inserted_at = v.inserted_at,
       requested_at = v.requested_at, started_at = v.started_at, completed_at = v.completed_at
     from jsonb_to_recordset($1) as v(id uuid, file_name text, status ingestion_status, inserted_at timestamptz,
       requested_at timestamptz, started_at timestamptz, completed_at timestamptz)
     where i.id = v.id`,
    [JSON.stringify(jobs)],
  );
  return jobs;
}

/** The indexes of ended jobs. */
const ENDED = Array.from({ length: COUNT }, (_, index) => index).filter((index) => {
  const status = STATUSES[index % STATUSES.length];
  return status === 'completed' || status === 'failed';
});

function minute(number: number): string {
  return new Date(Date.UTC(2026, 4, 17, 10, number)).toISOString().replace('Z', '000Z');
}
