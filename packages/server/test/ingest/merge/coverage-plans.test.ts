import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { withHashJoins } from '../../../src/db/planner-settings.ts';
import { inTransaction } from '../../../src/db/transaction.ts';
import { absentFindings } from '../../../src/ingest/merge/resolve-findings.ts';
import { createClient } from '../../support/client.ts';
import { openSession } from '../../support/open-session.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

const ACCOUNTS = 100;

describe('query plans for absent findings', () => {
  const sandbox = createSandbox();
  let service: Service;
  let session: pg.Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    session = await openSession(service);
  });
  after(async () => {
    await session.end();
    await sandbox.clear();
  });

  // Without statistics, as in the first uploads of a tenant.
  for (const coverage of ['account', 'checks'] as const)
    it(`read the scopes of an upload with coverage=${coverage} once, and not for each finding`, async () => {
      const records = Array.from({ length: 5 * ACCOUNTS }, (_, n) =>
        record({
          metadata: { event_code: `check-${n % 7}`, product: { name: 'Scanner' } },
          finding_info: { uid: `uid-${n}` },
          cloud: { provider: 'aws', account: { uid: `${coverage}-${n % ACCOUNTS}` } },
        }),
      );
      const { id } = await createClient(service.url, service.key).ingest(records, { parts: { coverage } });
      const { tenantId } = service;
      const { rows } = await inTransaction(session, tenantId, () =>
        withHashJoins(session, () =>
          session.query<{ 'QUERY PLAN': string }>(
            `explain (analyze, costs off, timing off, buffers off) ${absentFindings(coverage)}`,
            [tenantId, id],
          ),
        ),
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const loopsOf = (node: RegExp) => {
        const [, loops] = node.exec(plan) ?? assert.fail(plan);
        return Number(loops);
      };
      assert.equal(loopsOf(/on coverages c \(actual rows=\S+ loops=(\d+)\)/), 1, plan);
      assert.equal(loopsOf(/Scan on u \(actual rows=\S+ loops=(\d+)\)/), ACCOUNTS, plan);
      // An index has the findings of an account and a check.
      const lookups = coverage === 'checks' ? records.length : 1;
      assert.equal(loopsOf(/findings_\w+ on findings(?: f)? \(actual rows=\S+ loops=(\d+)\)/), lookups, plan);
    });
});
