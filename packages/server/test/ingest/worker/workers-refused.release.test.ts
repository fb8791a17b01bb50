import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createClient } from '../../support/client.ts';
import { SESSIONS } from '../../support/database-activity.ts';
import { createDeployment, createTenantKey } from '../../support/deployment.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

describe('a worker with a read-only database', () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  it('backs off with increasing delays while the database is read-only, then resumes', async () => {
    const deployment = await createDeployment(sandbox);
    const name = new URL(deployment.databaseUrl).pathname.slice(1);
    const api = await deployment.startApi();
    const client = createClient(api.url, await createTenantKey(api));
    const worker = await deployment.startWorker();
    const { id } = (await client.upload([record()])).body.data;
    await client.ended(id);

    await api.sql(`alter database ${name} set default_transaction_read_only = on`);
    await api.sql(`select pg_terminate_backend(pid) from ${SESSIONS}
      where application_name = 'sluice worker'`);
    const delays = () =>
      [
        ...worker.output.stderr.matchAll(/"code":"25006".*"delayMs":(\d+).*cannot use them; it backs off/g),
      ].map(([, ms]) => Number(ms));
    // Two frames are attempted concurrently, with separate backoff delays of at most one second, then two, and so on.
    const logged = await until(async () => delays().length >= 6 && delays());
    assert.ok(Math.max(...logged) >= 2000, String(logged));

    await api.sql(`begin read write; alter database ${name} reset default_transaction_read_only; commit`);
    // The API still has connections that are not read-only.
    const job = await client.ingest([record({ finding_info: { uid: 'later' } })]);
    assert.equal(job.attributes.status, 'completed');
  });
});
