import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { createClient } from '../../support/client.ts';
import { SESSIONS } from '../../support/database-activity.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Maximum number of exports of a process. */
const EXPORTS = 4;
const EXPORT = '/findings/export?format=csv';
const LARGE_EXPORT = 400;
const INTERRUPTED = 'an export was interrupted because its findings could not be read';

describe('connections of exports', () => {
  let service: Service;
  let holder: pg.Client;
  before(async () => {
    service = await startService();
    await createClient(service.url, service.key).ingest([record()]);
    holder = await service.connect();
  });
  after(async () => {
    await holder.end();
    await service.remove();
  });

  const startExport = (key: string, signal?: AbortSignal) =>
    fetch(`${service.url}/api/v1${EXPORT}`, {
      headers: { authorization: `Api-Key ${key}` },
      ...(signal && { signal }),
    });
  const waitingExports = async () => {
    const [row] = await service.sql<{ count: number }>(
      `select count(*)::int from ${SESSIONS} where application_name = 'sluice exports' and wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };
  const block = () => holder.query('begin; lock table findings in access exclusive mode');
  const unblock = () => holder.query('rollback');

  it('an export ends when its client disconnects before the first byte', async () => {
    await block();
    const client = new AbortController();
    const response = startExport(service.key, client.signal);
    await until(async () => (await waitingExports()) === 1);
    client.abort();
    await assert.rejects(response);
    await until(async () => (await waitingExports()) === 0);
    await unblock();
    const next = await startExport(service.key);
    assert.equal(next.status, 200);
    assert.match(await next.text(), /^id,/);
  });

  it('logs why an export ends after its first byte, unless its client disconnects', async () => {
    // Far larger than the buffers between the service and its client.
    const text = { time: 1_790_000_000, risk_details: 'A long text. '.repeat(5000) };
    await createClient(service.url, service.key).ingest(
      Array.from({ length: LARGE_EXPORT }, (_, at) =>
        record({ ...text, finding_info: { uid: `uid-${at}` } }),
      ),
    );
    const running = async () =>
      await service.sql<{ pid: number }>(
        `select pid from ${SESSIONS} where application_name = 'sluice exports' and state = 'active'`,
      );
    const client = new AbortController();
    await startExport(service.key, client.signal);
    client.abort();
    await until(async () => (await running()).length === 0);
    assert.ok(!service.output.stderr.includes(INTERRUPTED), service.output.stderr);

    const response = await startExport(service.key);
    assert.equal(response.status, 200);
    for (const { pid } of await running()) await service.sql('select pg_terminate_backend($1)', [pid]);
    await assert.rejects(response.text());
    await until(async () => service.output.stderr.includes(INTERRUPTED));
    const [line] = service.output.stderr.split('\n').filter((each) => each.includes(INTERRUPTED));
    assert.equal(JSON.parse(line ?? '').requestId, response.headers.get('x-request-id'));
  });

  it('a process rejects further exports with 503, and still responds to other requests', async () => {
    const keys = [service.key];
    while (keys.length <= EXPORTS) {
      const email = `analyst-${keys.length}@example.com`;
      const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', `Tenant ${keys.length}`);
      await createUser(service, id, email);
      keys.push(await createKey(service, id, email));
    }
    await block();
    const exports = keys.slice(0, EXPORTS).map((key) => startExport(key));
    await until(async () => (await waitingExports()) === EXPORTS);
    const { status, body } = await createClient(service.url, keys[EXPORTS] ?? '').get(EXPORT);
    assert.deepEqual([status, body.errors?.[0]?.code], [503, 'too_many_exports']);
    assert.deepEqual(body.errors?.[0]?.meta, { limit: 'exports_at_once', max: EXPORTS });
    assert.equal((await createClient(service.url, service.key).get('/ingestions')).status, 200);
    await unblock();
    for (const response of await Promise.all(exports)) {
      assert.equal(response.status, 200);
      await response.text();
    }
    const next = await startExport(keys[EXPORTS] ?? '');
    assert.equal(next.status, 200);
    await next.text();
  });
});
