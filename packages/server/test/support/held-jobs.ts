import assert from 'node:assert/strict';
import type pg from 'pg';
import { FRAMES_CHANNEL } from '../../src/db/notifications.ts';
import { type Client, createClient } from './client.ts';
import { joinService, type SharedService } from './lanes.ts';
import type { TenantService } from './service.ts';
import { until } from './until.ts';

export type Release = () => Promise<void>;

export interface HeldService {
  readonly service: SharedService;
  readonly client: Client;
  /** A session of the owner. */
  readonly session: pg.Client;
  /** Lets workers claim the remaining jobs, and leaves the service. */
  readonly leave: () => Promise<void>;
}

/** Joins the service of the lane. New jobs stay `pending` until a test releases them with one of the functions below. */
export async function joinHeldService(): Promise<HeldService> {
  const service = await joinService();
  const session = await service.connect();
  const releaseAll = await holdPending(service);
  return {
    service,
    client: createClient(service.url, service.key),
    session,
    leave: async () => {
      await releaseAll();
      await session.end();
      await service.leave();
    },
  };
}

/** Keeps newly created jobs `pending` until the returned function is called. */
export async function holdPending(service: TenantService): Promise<Release> {
  await service.ownerSql(`alter table frame_queue alter column available_at set default '2100-01-01'`);
  return async () => {
    await service.ownerSql('alter table frame_queue alter column available_at set default clock_timestamp()');
    await service.ownerSql('update frame_queue set available_at = clock_timestamp()');
    await service.ownerSql(`notify ${FRAMES_CHANNEL}`);
  };
}

/** Lets workers claim the frames of these held jobs that are queued now, and the ends of these jobs. */
export async function releaseJobs(session: pg.Client, ids: readonly string[]): Promise<void> {
  await session.query(
    `update frame_queue set available_at = clock_timestamp() where (ingestion_id, number) in (
       select ingestion_id, number from frame_queue
       where ingestion_id = any($1) and available_at > clock_timestamp() for update skip locked)`,
    [ids],
  );
  await session.query(`notify ${FRAMES_CHANNEL}`);
}

/** Lets a worker claim a frame of a held job, or the job's end, which has the next number. */
export async function releaseFrame(session: pg.Client, id: string, number: number): Promise<void> {
  const { rowCount } = await session.query(
    'update frame_queue set available_at = clock_timestamp() where ingestion_id = $1 and number = $2',
    [id, number],
  );
  assert.equal(rowCount, 1, 'the frame is not in the queue');
  await session.query(`notify ${FRAMES_CHANNEL}`);
}

/** Releases a frame of a held job, or the job's end, and waits until it has been processed. */
export async function processFrame(session: pg.Client, id: string, number: number): Promise<void> {
  await releaseFrame(session, id, number);
  await waitForFrame(session, id, number);
}

/** Waits until a released frame, or a job's end, has been processed. */
export async function waitForFrame(session: pg.Client, id: string, number: number): Promise<void> {
  await until(async () => {
    const queued = await session.query('select from frame_queue where ingestion_id = $1 and number = $2', [
      id,
      number,
    ]);
    return queued.rowCount === 0;
  });
}

/** Waits until these held jobs of a tenant have been processed, in any order. */
export async function processJobs(
  session: pg.Client,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await until(async () => {
    // The end of a job is queued again after its last frame.
    await releaseJobs(session, ids);
    const running = await session.query(
      'select from ingestions where tenant_id = $1 and id = any($2) and completed_at is null',
      [tenantId, ids],
    );
    return running.rowCount === 0;
  });
}

/** Keeps all jobs `processing` until the returned function is called, by blocking writes to findings. */
export async function holdProcessing(service: TenantService): Promise<Release> {
  const client = await service.connect();
  await client.query('begin; lock table findings in share mode');
  return () => client.end();
}
