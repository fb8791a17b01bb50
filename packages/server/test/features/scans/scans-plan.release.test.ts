import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { inTransaction } from '../../../src/db/transaction.ts';
import type { Query } from '../../../src/jsonapi/query.ts';
import { listScans } from '../../../src/resources/scans.ts';
import { createClient } from '../../support/client.ts';
import { openSession } from '../../support/open-session.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { type Service, startService } from '../../support/service.ts';

const SCANS = 20_000;
/** The query for a list request without parameters. */
const DEFAULT_LIST: Query = {
  conditions: [],
  filters: new Map(),
  options: new Map(),
  numbers: new Map(),
  order: '-inserted_at',
  sort: [{ sql: 's.inserted_at', type: 'timestamptz', descending: true }],
  page: { number: 1, size: 10 },
  fields: new Map(),
  include: new Set(),
};

describe('the default scans list with many scans', () => {
  let service: Service;
  let second: SecondTenant;
  let session: pg.Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    second = await createSecondTenant(service);
    for (const client of [createClient(service.url, service.key), second.client])
      await client.ingest([record()]);
    const columns = await service.sql<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = 'sluice.scans'::regclass and attnum > 0 and not attisdropped`,
    );
    const values = columns.map(({ name }) => COPIED.get(name) ?? `s.${name}`);
    await service.sql(
      `insert into scans (${columns.map(({ name }) => name).join(', ')})
       select ${values.join(', ')} from scans s cross join generate_series(1, ${SCANS}) as number`,
    );
    await service.sql('analyze scans; analyze providers');
    session = await openSession(service);
  });
  after(async () => {
    await session.end();
    await service.remove();
  });

  it('uses an index to read only the scans on the requested page', async () => {
    const statements: { text: string; values: unknown[] }[] = [];
    const watched = new Proxy(session, {
      get: (target, name) => {
        if (name !== 'query') return Reflect.get(target, name);
        return (text: string, values: unknown[]) => {
          statements.push({ text, values: [...values] });
          return target.query(text, values);
        };
      },
    });
    const plan = await inTransaction(session, service.tenantId, async () => {
      const { rows, count } = await listScans(watched, service.tenantId, DEFAULT_LIST);
      assert.deepEqual([rows.length, count], [10, SCANS + 1]);
      const { text, values } = statements.at(-1) ?? assert.fail();
      const explained = await session.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, summary off, buffers off) ${text}`,
        values,
      );
      return explained.rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    assert.match(plan, /Index Scan using scans_inserted on scans s \(actual rows=(9|10|11)(\.00)? /);
    assert.doesNotMatch(plan, /Seq Scan on scans|Sort/);
  });
});

/** The columns that differ between the copies of a scan. */
const COPIED = new Map([
  ['id', 'gen_random_uuid()'],
  ['inserted_at', `s.inserted_at - number * interval '1 minute'`],
]);
