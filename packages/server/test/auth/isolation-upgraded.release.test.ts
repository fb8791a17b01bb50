import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { setTenant } from '../../src/db/transaction.ts';
import { createIncoming } from '../../src/ingest/merge/copied-rows.ts';
import { CREATE_FINDING_CHANGES } from '../../src/ingest/merge/previous-layout.ts';
import { createClient } from '../support/client.ts';
import { openSession } from '../support/open-session.ts';
import { record } from '../support/records.ts';
import { startUpgradedService, type UpgradedService } from '../support/upgraded-service.ts';

describe('database sessions in an upgraded database', () => {
  let service: UpgradedService;
  let session: pg.Client;
  before(async () => {
    service = await startUpgradedService();
    await createClient(service.url, service.key).ingest([record()]);
    session = await openSession(service);
    await session.query(createIncoming(true));
    await session.query(CREATE_FINDING_CHANGES);
  });
  after(async () => {
    await session.end();
    await service.leave();
  });

  it("empties a worker's temporary tables after a commit or rollback in an upgraded database", async () => {
    for (const end of ['commit', 'rollback']) {
      await session.query('begin');
      await setTenant(session, service.tenantId);
      await session.query('insert into incoming (uid) values ($1)', ['own-finding']);
      // A trigger records the change.
      await session.query('update findings set severity = 1');
      for (const table of ['incoming', 'finding_changes'])
        assert.notEqual((await session.query(`select from ${table}`)).rowCount, 0, table);
      await session.query(end);
      for (const table of ['incoming', 'finding_changes'])
        assert.equal((await session.query(`select from ${table}`)).rowCount, 0, `${table} after ${end}`);
    }
  });
});
