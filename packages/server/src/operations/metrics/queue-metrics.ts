import pg from 'pg';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../../db/connect.ts';
import { probeDatabase } from '../../db/probe-database.ts';

/** Tenants with at most this many frames waiting are `few`, the others `many`: no tenant is named. */
const FEW_FRAMES = 10;
const CLASSES = ['few', 'many'] as const;
/** `query_canceled`: the statement took too long, so the database is there. */
const QUERY_CANCELED = '57014';

interface ClassRow {
  readonly class: string;
  readonly tenants: number;
  readonly frames: number;
  readonly jobs: number;
  readonly age: number;
}

const MEASURES = [
  ['tenants', 'sluice_queue_tenants', 'Tenants that have frames waiting'],
  [
    'frames',
    'sluice_queue_frames',
    'Frames that are not done: those that wait, and those that are worked on',
  ],
  ['jobs', 'sluice_queue_jobs', 'Jobs that have such frames'],
  ['age', 'sluice_queue_oldest_frame_age_seconds', 'For how long the oldest such frame has been waiting'],
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
 * The queue of the whole service, asked of the database when the metrics are read, with one statement for all of them.
 * Where that fails they are left out and the others are there.
 */
export function registerQueueMetrics(registry: Registry, database: Database, log: Logger): void {
  let asked: Promise<Answer> | undefined;
  // All gauges are read at the same time: the first of them asks.
  const ask = () => {
    asked ??= askQueue(database, log).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  const registers = [registry];
  new Gauge({
    name: 'sluice_database_up',
    help: '1 where the database answered just now, 0 where it did not',
    registers,
    async collect() {
      this.set((await ask()).isUp ? 1 : 0);
    },
  });
  for (const [measure, name, help] of MEASURES) {
    new Gauge({
      name,
      help: `${help}; in the whole service, by class of tenant: few (at most ${FEW_FRAMES} frames each) or many`,
      labelNames: ['class'],
      registers,
      async collect() {
        const { rows } = await ask();
        this.reset();
        if (rows === undefined) return;
        for (const name of CLASSES) {
          const row = rows.find((one) => one.class === name);
          this.set({ class: name }, row?.[measure] ?? 0);
        }
      },
    });
  }
}

interface Answer {
  readonly isUp: boolean;
  readonly rows: readonly ClassRow[] | undefined;
}

async function askQueue(database: Database, log: Logger): Promise<Answer> {
  try {
    return { isUp: true, rows: await probeDatabase<ClassRow>(database, CLASSES_OF_QUEUE) };
  } catch (error) {
    log.warn({ err: error }, 'the queue could not be measured');
    const isUp = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
    return { isUp, rows: undefined };
  }
}
