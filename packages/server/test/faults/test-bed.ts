import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { APP_ROLE, createPool } from '../../src/db/connect.ts';
import { MAX_FAILURES } from '../../src/ingest/worker/attempt-frame.ts';
import type { FaultPoint } from '../support/fault-point.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';
import type { Service } from '../support/service.ts';
import { planUploads, type ScenarioUploads } from './scenario-uploads.ts';
import type { StoredBlobs } from './stored-blobs.ts';

/** A long-lived service; each run of the scenario uses a new tenant. */
export interface TestBed {
  readonly service: Service;
  /** Sessions configured like those of the service, without injected faults. */
  readonly pool: pg.Pool;
  /** A connection that sees all tenants. */
  readonly owner: pg.Client;
  readonly plans: ScenarioUploads;
  readonly blobs: StoredBlobs;
  /** Fault points for ingestion and for garbage collection. */
  readonly points: { readonly ingestion: FaultPoint; readonly collection: FaultPoint };
}

/** The value of `NODE_OPTIONS` that preloads these modules into the service under test. */
export function preloads(...names: readonly string[]): string {
  const modules = ['without-delays', ...names].map(
    (name) => `--import=${pathToFileURL(path.join(import.meta.dirname, `${name}.ts`)).href}`,
  );
  return [process.env.NODE_OPTIONS ?? '', ...modules].join(' ');
}

/** Settings of every service under test, without scheduled tasks. */
export const WITHOUT_SCHEDULE = {
  SLUICE_WORKERS: '1',
  SLUICE_GC_INTERVAL_MINUTES: '0',
  SLUICE_KEY_USE_SECONDS: '3600',
};

export interface TestBedDatabase extends Pick<TestBed, 'pool' | 'owner'> {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Creates a trigger that makes the service give up on the frames of one upload when they are first claimed. */
const GIVE_UP_FRAMES = `
  create function sluice.give_up() returns trigger language plpgsql as $$
  begin
    if exists (select from sluice.ingestions where tenant_id = new.tenant_id and id = new.ingestion_id
      and file_name = '${planUploads().givenUp.fileName}') then new.failures := ${MAX_FAILURES}; end if;
    return new;
  end $$;
  create trigger give_up before insert on sluice.frames for each row execute function sluice.give_up()`;

/** Creates a migrated database in which the service gives up on one upload of each tenant. */
export async function createTestBedDatabase(): Promise<TestBedDatabase> {
  const url = await createMigratedDatabase();
  const pool = createPool({ url, role: APP_ROLE }, { applicationName: 'sluice test', max: 2 });
  const owner = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
  await owner.connect();
  await owner.query(GIVE_UP_FRAMES);
  return {
    url,
    pool,
    owner,
    remove: async () => {
      await pool.end();
      await owner.end();
      await dropDatabase(url);
    },
  };
}
