import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { openSession } from '../support/open-session.ts';
import { record } from '../support/records.ts';
import { type Service, startEmbeddedService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const RECORDS = 1500;

for (const [database, start] of [
  ['an external database', startService],
  ...(isWholeRun ? [['the embedded database', startEmbeddedService] as const] : []),
] as const)
  describe(`the vacuum after uploads to ${database}`, () => {
    let service: Service;
    before(async () => {
      service = await start({ SLUICE_WORKERS: '1' });
    });
    after(async () => await service.remove());

    const pages = async () => {
      const [row] = await service.sql<{ all: number; visible: number }>(
        `select relpages as all, relallvisible as visible from pg_class where oid = 'findings'::regclass`,
      );
      return row ?? assert.fail();
    };

    const vacuumCount = async () => {
      const [row] = await service.sql<{ count: number }>(
        `select vacuum_count::float8 as count from pg_stat_all_tables where relid = 'findings'::regclass`,
      );
      return row?.count ?? assert.fail();
    };

    const scan = (time: number) =>
      Array.from({ length: RECORDS }, (_, at) => record({ time, finding_info: { uid: `finding-${at}` } }));

    it('makes the pages of new and of repeated findings visible to index-only scans', async () => {
      const client = createClient(service.url, service.key);
      for (const time of [1_780_000_000, 1_780_000_001]) {
        await service.sql("update pg_class set relallvisible = 0 where oid = 'findings'::regclass");
        await client.ingest(scan(time));
        // The service vacuums again if a transaction elsewhere kept more than a tenth of the pages from being visible.
        await until(async () => {
          const { all, visible } = await pages();
          return visible > 0 && visible >= 0.9 * all;
        });
      }
    });

    itInWholeRun('vacuums again if a transaction that began before the upload is still open', async () => {
      const transaction = await openSession(service);
      try {
        await transaction.query('begin isolation level repeatable read');
        await transaction.query('select count(*) from findings');
        await service.sql("update pg_class set relallvisible = 0 where oid = 'findings'::regclass");
        const vacuums = await vacuumCount();
        await createClient(service.url, service.key).ingest(scan(1_780_000_002));
        await until(async () => (await vacuumCount()) > vacuums);
        assert.equal((await pages()).visible, 0);
        await transaction.query('commit');
        await until(async () => (await pages()).visible > 0);
      } finally {
        await transaction.end();
      }
    });
  });
