import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { findRunningPostgres } from '../packages/server/src/db/embedded/embedded-postgres.ts';
import type { Client } from '../packages/server/test/support/client.ts';
import type { Service } from '../packages/server/test/support/service.ts';
import { generateFile } from './files.ts';
import { describeMachine } from './machine.ts';
import { makeOtherTenants } from './other-tenants.ts';
import { firstReads, type Read } from './reads.ts';
import { ingestFile, withService } from './service.ts';
import { percentile } from './status-latency.ts';

const RECORDS = Number(process.env.READING_RECORDS ?? 1_000_000);
const TENANTS = 200;
const ROUNDS = 21;
/** One scan of everything, and a later one of a part, in which statuses are others. */
const SCANS = [
  [RECORDS, {}],
  [RECORDS / 50, { seed: 2, time: 1_785_628_800 }],
] as const;
/** What takes long is not measured so often, but at least three times. */
const MOST_MS = 3000;

/** The lists and summaries that a person opens first, beside the same answers by hand-written SQL. */
const folder = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
try {
  await withService(async (service, client) => {
    const sql = await connect(service);
    await fill(service, client, sql);
    const [version] = await service.sql<{ server_version: string }>('show server_version');
    console.log(describeMachine(version?.server_version ?? '?'));
    console.log(
      `${RECORDS} findings in the tenant asked, ${TENANTS} other tenants; median of up to ${ROUNDS}\n`,
    );
    const rows = [];
    for (const read of await firstReads(service, client)) rows.push(await measure(read, client, sql));
    console.table(rows);
    await sql.end();
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function fill(service: Service, client: Client, sql: pg.Client): Promise<void> {
  for (const [records, options] of SCANS) {
    const file = await generateFile(folder, records, { indent: 0, ...options });
    await ingestFile(service, client, file.path);
    await rm(file.path);
  }
  await makeOtherTenants(sql, service.tenantId, TENANTS);
  // What autovacuum would do a minute later.
  await sql.query('vacuum analyze');
}

/** On a connection of its own, as `psql` would have it, and as somebody whom no row is hidden from. */
async function connect({ dataDir }: Service): Promise<pg.Client> {
  const running = await findRunningPostgres({ dataDir });
  const sql = new pg.Client({ connectionString: running?.url, options: '-c search_path=sluice' });
  await sql.connect();
  return sql;
}

async function measure(read: Read, client: Client, sql: pg.Client) {
  const api = await medianOf(async () => {
    const { status } = await client.get(read.path);
    if (status !== 200) throw new Error(`${read.path} was answered with ${status}`);
  });
  const hand = await medianOf(async () => {
    for (const statement of read.sql) await sql.query(statement, [read.tenantId]);
  });
  const times = hand === 0 ? Number.NaN : api / hand;
  return {
    what: read.what,
    'API ms': round(api),
    'SQL ms': round(hand),
    'times SQL': round(times),
    good: api <= 50 || times <= 2,
  };
}

async function medianOf(work: () => Promise<void>): Promise<number> {
  await work();
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < ROUNDS && (times.length < 3 || performance.now() - begin < MOST_MS)) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return percentile(
    times.sort((a, b) => a - b),
    0.5,
  );
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
