import pg from 'pg';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { type Database, probeDatabase } from '../../db/connect.ts';
import { QUERY_CANCELED } from '../../db/database-errors.ts';

/**
 * Tenants with at most this many queued frames have the class `few`, others `many`, so that labels do not identify
 * tenants.
 */
const FEW_FRAMES = 10;
const CLASSES = ['few', 'many'] as const;

interface ClassRow {
  readonly class: string;
  readonly tenants: number;
  readonly frames: number;
  readonly jobs: number;
  readonly age: number;
}

interface QueueState {
  readonly isUp: boolean;
  readonly rows: readonly ClassRow[] | undefined;
}

const MEASURES = [
  ['tenants', 'sluice_queue_tenants', 'Tenants with queued frames'],
  ['frames', 'sluice_queue_frames', 'Queued frames, including frames in progress'],
  ['jobs', 'sluice_queue_jobs', 'Jobs with queued frames'],
  ['age', 'sluice_queue_oldest_frame_age_seconds', 'Age of the oldest queued frame'],
] as const;

const CLASSES_OF_QUEUE = `
  select case when frames <= ${FEW_FRAMES} then 'few' else 'many' end as class, count(*)::float8 as tenants,
    sum(frames)::float8 as frames, sum(jobs)::float8 as jobs, max(age)::float8 as age
  from (
    select count(*) as frames, count(distinct ingestion_id) as jobs,
      extract(epoch from clock_timestamp() - min(queued_at)) as age
    from frame_queue group by tenant_id
  ) as tenants group by class`;

/**
 * Queue metrics for the whole service, read from the database with one statement when the metrics are scraped. If that
 * statement fails, only these metrics are omitted.
 */
export function registerQueueMetrics(registry: Registry, database: Database, log: Logger): void {
  let pending: Promise<QueueState> | undefined;
  // All gauges are collected at the same time and share one statement.
  const read = () => {
    pending ??= readQueue(database, log).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  const registers = [registry];
  new Gauge({
    name: 'sluice_database_up',
    help: '1 if the database responded, otherwise 0',
    registers,
    async collect() {
      this.set((await read()).isUp ? 1 : 0);
    },
  });
  for (const [measure, name, help] of MEASURES) {
    new Gauge({
      name,
      help: `${help}, in the whole service, by class of tenant: few (at most ${FEW_FRAMES} queued frames) or many`,
      labelNames: ['class'],
      registers,
      async collect() {
        const { rows } = await read();
        this.reset();
        if (rows === undefined) return;
        for (const name of CLASSES) {
          const row = rows.find((each) => each.class === name);
          this.set({ class: name }, row?.[measure] ?? 0);
        }
      },
    });
  }
}

async function readQueue(database: Database, log: Logger): Promise<QueueState> {
  try {
    return { isUp: true, rows: await probeDatabase<ClassRow>(database, CLASSES_OF_QUEUE) };
  } catch (error) {
    log.warn({ err: error }, 'the queue could not be measured');
    const isUp = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
    return { isUp, rows: undefined };
  }
}
