import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../../support/deployment.ts';
import { type FailingStatements, startFailingStatements } from '../../support/failing-statements.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

describe('an upload whose database connection breaks', () => {
  const sandbox = createSandbox();
  let proxy: FailingStatements;
  let deployment: Deployment;
  let api: Service;
  let client: Client;
  before(async () => {
    deployment = await createDeployment(sandbox);
    proxy = await startFailingStatements(deployment.databaseUrl);
    proxy.fault = 'unknown';
    api = await deployment.startApi({ DATABASE_URL: proxy.url });
    client = createClient(api.url, await createTenantKey(api));
    await deployment.startWorker();
  });
  after(async () => {
    await sandbox.clear();
    await proxy.stop();
  });

  const jobs = async () => (await client.get<unknown[]>('/ingestions')).body.data.length;

  for (const [moment, statement] of [
    ['during the statement that inserts the job', 'insert into ingestions'],
    ['after the commit, before the response', 'commit'],
  ] as const) {
    for (const key of [undefined, `key-${statement.length}`]) {
      it(`creates one job when the connection breaks ${moment}${key === undefined ? '' : ', with an Idempotency-Key'}`, async () => {
        const before = await jobs();
        // Authentication uses the same connection earlier, without a transaction to commit.
        proxy.counts = (text) => text.startsWith(statement);
        await proxy.arm(1);
        const headers = key === undefined ? {} : { 'idempotency-key': key };
        const upload = () => client.upload([record({ finding_info: { uid: statement } })], { headers });
        const { status, body } = await upload();
        assert.notEqual((await proxy.disarm()).failed, undefined);
        assert.equal(status, 202);
        assert.equal((await client.ended(body.data.id)).attributes.status, 'completed');
        assert.equal(await jobs(), before + 1);
        if (key === undefined) return;
        const repeated = await upload();
        assert.deepEqual(
          [repeated.status, repeated.headers.get('idempotency-replayed'), repeated.body.data.id],
          [202, 'true', body.data.id],
        );
      });
    }
  }
});
