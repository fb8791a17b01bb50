import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Client, Resource } from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { at, iso, type ProductAccess, productAccess, seen } from '../../support/reported-products.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';

/** Later than the upload, whose time is used instead. */
const soon = () => Date.now() / 1000 + 60;

describe('the products of a provider', () => {
  let service: SharedService;
  let client: Client;
  let products: ProductAccess;
  before(async () => {
    service = await joinService();
    products = productAccess(service);
    client = products.client;
  });
  after(() => service.leave());

  it('products have their version, the time of their latest record, and counts of open findings', async () => {
    const account = 'listed';
    await client.ingest([
      seen({ account, product: 'Old', version: '1.0', time: at(1) }),
      seen({ account, product: 'Old', version: '1.0', time: at(1), uid: 'b', status: 'PASS' }),
      seen({ account, product: 'New', time: at(3) }),
      seen({ account, product: null, time: at(4) }),
      seen({ account: `${account}-2`, product: 'Other' }),
    ]);
    await client.ingest([seen({ account, product: 'Old', version: '2.0', time: at(2) })]);
    assert.deepEqual(await products.of(await products.idOf(account)), [
      { name: 'New', version: null, last_seen_at: iso(3), findings: { total: 1, failing: 1 } },
      { name: 'Old', version: '2.0', last_seen_at: iso(2), findings: { total: 2, failing: 1 } },
    ]);
  });

  it('products are absent from lists and included providers, and can be selected', async () => {
    const account = 'selected';
    await client.ingest([seen({ account })]);
    const provider = await products.listed(account);
    assert.equal('products' in provider.attributes, false);
    const { body } = await client.get<Resource[]>(`/findings?filter[account]=${account}&include=provider`);
    assert.deepEqual(body.included?.[0]?.attributes, provider.attributes);
    for (const field of ['products', 'account']) {
      const { data } = (await client.get<Resource>(`/providers/${provider.id}?fields[providers]=${field}`))
        .body;
      assert.deepEqual(Object.keys(data.attributes), [field]);
    }
    assert.equal((await client.get('/providers?fields[providers]=products')).status, 400);
  });

  itInWholeRun(
    'products have the version of the latest record, in whatever order files and records arrive',
    async () => {
      const records = [
        { version: '9', time: at(1) },
        { version: '10', time: at(2) },
        { version: '3', time: at(2) },
        { time: at(2) },
      ];
      const findings = { total: 4, failing: 4 };
      for (const order of [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [2, 1, 3, 0],
        [1, 3, 0, 2],
      ])
        for (const isOneFile of [true, false]) {
          const account = `order-${order.join('')}-${isOneFile}`;
          const file = order.map((place) => seen({ account, uid: `${place}`, ...records[place] }));
          for (const part of isOneFile ? [file] : file.map((one) => [one])) await client.ingest(part);
          const expected = { name: 'Old', version: '3', last_seen_at: iso(2), findings };
          assert.deepEqual(await products.of(await products.idOf(account)), [expected], account);
        }
    },
  );

  it('products have no version and time if only an earlier release has processed their records', async () => {
    const account = 'earlier';
    await client.ingest([seen({ account, version: '1.0' })]);
    const id = await products.idOf(account);
    await service.sql('delete from provider_products where provider_id = $1', [id]);
    const findings = { total: 1, failing: 1 };
    assert.deepEqual(await products.of(id), [{ name: 'Old', version: null, last_seen_at: null, findings }]);
    assert.equal((await products.resolve(id, 'Old')).body.meta.findings, 1);
    await products.resolved();
    assert.deepEqual(await products.of(id), []);
  });

  it('products have no open findings after these were resolved, and the response has their number', async () => {
    const account = 'resolved';
    await client.ingest([
      seen({ account, product: 'Old' }),
      seen({ account, product: 'Old', uid: 'b', status: 'PASS' }),
      seen({ account, product: 'New' }),
      seen({ account, product: null }),
      seen({ account: `${account}-2`, product: 'Old' }),
    ]);
    const id = await products.idOf(account);
    const before = await products.provider(id);
    const requestedAt = Date.now();
    const { status, body } = await products.resolve(id, 'Old', { path: id.toUpperCase() });
    assert.deepEqual([status, body.data, body.meta.findings], [202, before, 2]);
    await products.resolved();
    const time = await products.resolvedAt(id);
    assert.ok(Math.abs(requestedAt - Date.parse(time)) < 60_000, time);
    assert.deepEqual(await products.states(account), {
      'a-Old': [time, null],
      'b-Old': [time, null],
      'a-New': 'open',
      'a-null': 'open',
    });
    assert.deepEqual(await products.states(`${account}-2`), { 'a-Old': 'open' });
    const totals = (await products.of(id)).map(({ name, findings: { total } }) => [name, total]);
    assert.deepEqual(Object.fromEntries(totals), { New: 1, Old: 0 });
    assert.deepEqual(await products.audited(id), [
      {
        action: 'provider.findings_resolved',
        target_type: 'providers',
        changes: { product: 'Old', findings: 2 },
        user_email: 'admin@localhost',
      },
    ]);
    await assertTrueCounts(service);
  });

  it('products have no further findings that are resolved if the request is repeated', async () => {
    const account = 'repeated';
    await client.ingest([seen({ account })]);
    const id = await products.idOf(account);
    await products.resolve(id, 'Old');
    await products.resolved();
    const before = await products.states(account);
    const { status, body } = await products.resolve(id, 'Old', { query: '?fields[providers]=account' });
    assert.deepEqual([status, body.meta.findings, body.data.attributes], [202, 0, { account }]);
    await products.resolved();
    assert.deepEqual(await products.states(account), before);
    await assertTrueCounts(service);
  });

  it('products have open findings again after a new scan', async () => {
    const account = 'reopened';
    await client.ingest(['a', 'b'].map((uid) => seen({ account, uid })));
    const id = await products.idOf(account);
    await products.resolve(id, 'Old');
    await products.resolved();
    await client.ingest([seen({ account, time: soon() })]);
    const resolution = [await products.resolvedAt(id), null];
    assert.deepEqual(await products.states(account), { 'a-Old': 'open', 'b-Old': resolution });
    assert.equal((await products.of(id))[0]?.findings.total, 1);
    await assertTrueCounts(service);
  });

  it('products have no open findings from records that are older than the request and arrive later', async () => {
    const account = 'late';
    await client.ingest([seen({ account })]);
    const id = await products.idOf(account);
    await products.resolve(id, 'Old');
    await products.resolved();
    await client.ingest([
      ...['a', 'b'].map((uid) => seen({ account, uid, time: at(9) })),
      seen({ account, uid: 'c', product: 'New', time: at(9) }),
    ]);
    const resolution = [await products.resolvedAt(id), null];
    assert.deepEqual(await products.states(account), {
      'a-Old': resolution,
      'b-Old': resolution,
      'c-New': 'open',
    });
  });

  it('products have findings that were resolved by the first upload or request that did so', async () => {
    const account = 'first';
    const complete = { parts: { coverage: 'account' } };
    await client.ingest(['a', 'kept'].map((uid) => seen({ account, uid })));
    const id = await products.idOf(account);
    const job = await client.ingest([seen({ account, uid: 'kept', time: at(2) })], complete);
    await products.resolve(id, 'Old');
    await products.resolved();
    await client.ingest([seen({ account, uid: 'new', time: soon() })], complete);
    assert.deepEqual(await products.states(account), {
      'a-Old': [iso(2), { type: 'ingestions', id: job.id }],
      'kept-Old': [await products.resolvedAt(id), null],
      'new-Old': 'open',
    });
    await assertTrueCounts(service);
  });

  itInWholeRun(
    'products have findings that a request resolves before uploads with the same time, in any order',
    async () => {
      const states: unknown[] = [];
      for (const isFirst of [true, false]) {
        const account = `equal-${isFirst}`;
        const complete = { parts: { coverage: 'account' } };
        const upload = () => client.ingest([seen({ account, uid: 'kept', time: at(5) })], complete);
        await client.ingest([seen({ account })]);
        const id = await products.idOf(account);
        if (!isFirst) await upload();
        // Requests have the current time, so an earlier one is only possible in the database.
        await products.resolveAt(id, 'Old', at(5));
        if (isFirst) await upload();
        states.push(await products.states(account));
      }
      assert.deepEqual(states, Array(2).fill({ 'a-Old': [iso(5), null], 'kept-Old': 'open' }));
    },
  );

  it('products are removed with their provider', async () => {
    const account = 'removed';
    await client.ingest([seen({ account }), seen({ account: `${account}-2` })]);
    const id = await products.idOf(account);
    await products.resolve(id, 'Old');
    await products.resolved();
    assert.equal((await client.delete(`/providers/${id}`)).status, 204);
    // The removal itself ends later, when all transactions in the cluster of the test run have ended.
    for (const table of ['provider_products', 'coverages'])
      await until(async () => {
        const left = await service.sql(`select from ${table} where provider_id = $1`, [id]);
        return left.length === 0;
      });
    const [kept] = await products.of(await products.idOf(`${account}-2`));
    assert.equal(kept?.last_seen_at, iso(1));
    await client.ingest([seen({ account })]);
    assert.deepEqual(await products.states(account), { 'a-Old': 'open' });
  });

  it('products are listed and counted by admin commands, which resolve their findings only with --yes', async () => {
    const account = 'operated';
    await client.ingest([seen({ account, version: '1.0' }), seen({ account, product: 'New' })]);
    const id = await products.idOf(account);
    const inTenant = [id, '--tenant', service.tenantId];
    assert.deepEqual(await service.sluiceJson('provider', 'products', ...inTenant), await products.of(id));
    const command = ['provider', 'resolve', ...inTenant, '--product', 'Old'];
    const counted = { id, product: 'Old', findings: 1 };
    assert.deepEqual(await service.sluiceJson(...command), { ...counted, resolved_at: null });
    await products.resolved();
    assert.deepEqual(await products.states(account), { 'a-Old': 'open', 'a-New': 'open' });
    assert.deepEqual(await products.audited(id), []);
    const { resolved_at, ...resolved } = await service.sluiceJson(...command, '--yes');
    assert.deepEqual(resolved, counted);
    await products.resolved();
    const time = await products.resolvedAt(id);
    assert.equal(time, String(resolved_at).replace('Z', '000Z'));
    assert.deepEqual(await products.states(account), { 'a-Old': [time, null], 'a-New': 'open' });
    assert.deepEqual(await products.audited(id), [
      {
        action: 'provider.findings_resolved',
        target_type: 'providers',
        changes: { product: 'Old', findings: 1 },
        user_email: null,
      },
    ]);
  });
});
