import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PERMISSIONS } from '../support/access-resources.ts';
import { createClient } from '../support/client.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { createUser } from '../support/operator.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly key: string;
  readonly expires_at: string | null;
}

describe('admin commands', () => {
  const sandbox = createSandbox();
  let service: Service;
  let tenant: string;
  const user = 'somebody@example.com';
  const runProcess = async <Result = Record<string, unknown>>(...args: string[]): Promise<Result> =>
    JSON.parse((await service.sluice(...args, '--json')).stdout);
  /** In a sampled run, most commands run in the process of the test. */
  const json = async <Result = Record<string, unknown>>(...args: string[]): Promise<Result> =>
    isWholeRun ? await runProcess<Result>(...args) : await service.sluiceJson<Result>(...args);
  const createKey = (...args: string[]) =>
    json<Key>('api-key', 'create', '--tenant', tenant, '--user', user, ...args);
  const createKeyByProcess = () => runProcess<Key>('api-key', 'create', '--tenant', tenant, '--user', user);
  before(async () => {
    service = await sandbox.startEmbeddedService();
    tenant = (await json<{ id: string }>('tenant', 'create', 'Acme')).id;
    await createUser({ sluiceJson: json }, tenant, user);
  });
  after(() => sandbox.clear());

  describe('admin commands with --json while the service is running', () => {
    it('tenant create creates a tenant with or without an active subscription', async () => {
      const { id, ...created } = await json<{ id: string }>('tenant', 'create', 'Acme & Söhne');
      assert.match(id, UUID);
      assert.deepEqual(created, { name: 'Acme & Söhne', subscription: 'active' });
      const { id: other, ...unpaid } = await json(
        'tenant',
        'create',
        '--subscription',
        'none',
        'Acme & Söhne',
      );
      assert.notEqual(other, id);
      assert.deepEqual(unpaid, { name: 'Acme & Söhne', subscription: 'none' });
    });

    it("subscription set changes a tenant's subscription", async () => {
      for (const subscription of ['none', 'active']) {
        const printed = await json('subscription', 'set', '--tenant', tenant, subscription);
        assert.deepEqual(printed, { id: tenant, name: 'Acme', subscription });
        const stored = await service.sql('select subscription from tenants where tenant_id = $1', [tenant]);
        assert.deepEqual(stored, [{ subscription }]);
      }
    });

    it('user create creates a user with all permissions or with the given permissions', async () => {
      const [all, some, nothing] = await Promise.all([
        json('user', 'create', '--tenant', tenant, '--email', 'all@example.com'),
        json(
          ...['user', 'create', `--tenant=${tenant.toUpperCase()}`, '--email', 'some@example.com'],
          '--permissions',
          'manage_scans, manage_users',
        ),
        json('user', 'create', '--tenant', tenant, '--email', 'nothing@example.com', '--permissions', ''),
      ]);
      assert.match(String(all.id), UUID);
      assert.deepEqual(all, { id: all.id, email: 'all@example.com', permissions: PERMISSIONS });
      assert.deepEqual(some, {
        id: some.id,
        email: 'some@example.com',
        permissions: ['manage_scans', 'manage_users'],
      });
      assert.deepEqual(nothing, { id: nothing.id, email: 'nothing@example.com', permissions: [] });
    });

    it("user set-permissions replaces a user's permissions", async () => {
      const email = 'changing@example.com';
      const { id } = await createUser({ sluiceJson: json }, tenant, email);
      for (const permissions of [['manage_billing'], ['manage_scans', 'manage_users']]) {
        const set = ['user', 'set-permissions', '--tenant', tenant, '--email', email, permissions.join(',')];
        assert.deepEqual(await json(...set), { id, email, permissions });
        const granted = await service.sql(
          `select permissions from roles r join user_roles ur on ur.role_id = r.id where ur.user_id = $1`,
          [id],
        );
        assert.deepEqual(granted, [{ permissions }]);
      }
    });

    it('api-key create creates a working key, with or without an expiry time or restricted permissions', async () => {
      const [permanent, expiring, restricted] = await Promise.all([
        createKey(),
        createKey('--expires', '2127-01-31T12:00:00+02:00'),
        createKey('--permissions', 'manage_scans'),
      ]);
      for (const [created, expires_at] of [
        [permanent, null],
        [expiring, '2127-01-31T10:00:00.000Z'],
        [restricted, null],
      ] as const) {
        const { id, key } = created;
        assert.match(id, UUID);
        assert.match(key, /^sk_[0-9A-Za-z]{8}\.[0-9A-Za-z]{38}$/);
        assert.deepEqual(created, { id, prefix: key.split('.')[0], key, expires_at });
        assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
      }
      const denied = await createClient(service.url, restricted.key).get('/ingestions');
      assert.equal(denied.status, 401);
    });

    it('api-key revoke revokes a key, and returns the original revocation time if the key is already revoked', async () => {
      const { prefix, key } = await createKey();
      const revoke = ['api-key', 'revoke', '--tenant', tenant, prefix];
      const revoked = await json(...revoke);
      assert.match(String(revoked.revoked_at), TIME);
      assert.deepEqual(revoked, { prefix, revoked_at: revoked.revoked_at });
      assert.deepEqual(await json(...revoke), revoked);
      assert.equal((await createClient(service.url, key).get('/limits')).status, 401);
    });

    it("provider list lists a tenant's billed providers, and provider delete deletes a provider", async () => {
      const list = ['provider', 'list', '--tenant', tenant];
      assert.deepEqual(await json(...list), []);
      await createClient(service.url, (await createKey()).key).ingest([record()]);
      const [provider, ...others] = await json<Record<string, unknown>[]>(...list);
      assert.deepEqual(others, []);
      assert.match(String(provider?.id), UUID);
      assert.match(String(provider?.created_at), TIME);
      assert.deepEqual(provider, {
        id: provider?.id,
        type: 'aws',
        account: '111122223333',
        name: 'Production',
        findings: 1,
        created_at: provider?.created_at,
      });
      const deleted = await json('provider', 'delete', '--tenant', tenant, String(provider?.id));
      assert.match(String(deleted.deleted_at), TIME);
      assert.deepEqual(deleted, { id: provider?.id, deleted_at: deleted.deleted_at });
      assert.deepEqual(await json(...list), []);
    });
  });

  it('provider resolve prints the number of open findings, and how to resolve them unless --yes confirms it', async () => {
    const product = { name: 'Cloud scanner', version: '1.0' };
    const metadata = { event_code: 'bucket_not_public', product };
    const cloud = { provider: 'aws', account: { uid: 'replaced' } };
    await createClient(service.url, (await createKey()).key).ingest([record({ metadata, cloud })]);
    const providers = await json<{ id: string; account: string }[]>('provider', 'list', '--tenant', tenant);
    const id = providers.find(({ account }) => account === 'replaced')?.id ?? '';
    const listed = await service.sluice('provider', 'products', '--tenant', tenant, id);
    assert.match(
      listed.stdout,
      /^name {10}Cloud scanner\nversion {7}1\.0\nlast_seen_at {2}\S+\nfindings {6}total 1, failing 1\n$/,
    );
    const command = ['provider', 'resolve', '--tenant', tenant, id, '--product', product.name];
    const counted = await service.sluice(...command);
    assert.equal(
      counted.stdout,
      `id           ${id}\nproduct      Cloud scanner\nfindings     1\nresolved_at  -\n`,
    );
    assert.equal(
      counted.stderr,
      'No findings were resolved. To resolve them, repeat the command with --yes.\n',
    );
    const resolved = await service.sluice(...command, '--yes');
    assert.match(
      resolved.stdout,
      /^id {11}\S+\nproduct {6}Cloud scanner\nfindings {5}1\nresolved_at {2}\S+Z\n$/,
    );
    assert.equal(resolved.stderr, '');
  });

  itInWholeRun('prints aligned text without --json', async () => {
    const { id: empty } = await json<{ id: string }>('tenant', 'create', 'Empty');
    const [created, listed, key] = await Promise.all([
      service.sluice(
        'user',
        'create',
        '--tenant',
        empty,
        '--email',
        'e@example.com',
        '--permissions',
        'manage_scans,manage_users',
      ),
      service.sluice('provider', 'list', '--tenant', empty),
      service.sluice('api-key', 'create', '--tenant', tenant, '--user', user),
    ]);
    assert.match(
      created.stdout,
      /^id {11}\S{36}\nemail {8}e@example\.com\npermissions {2}manage_scans, manage_users\n$/,
    );
    assert.equal(listed.stdout, '(none)\n');
    assert.match(key.stdout, /^id {10}\S{36}\nprefix {6}sk_\S{8}\nkey {9}sk_\S+\nexpires_at {2}-\n$/);
    assert.deepEqual([created.stderr, listed.stderr, key.stderr], ['', '', '']);
  });

  itInWholeRun(
    'runs several commands concurrently while the service is stopped, and leaves no database running',
    async () => {
      await service.end();
      const keys = await Promise.all([createKeyByProcess(), createKeyByProcess(), createKeyByProcess()]);
      assert.equal(await postmasterOf(service.dataDir), undefined);

      service = await sandbox.startEmbeddedService({}, service.dataDir);
      for (const { key } of keys)
        assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
    },
  );

  itInWholeRun('does not stop the database of a service that starts while commands are running', async () => {
    await service.end();
    const [started] = await Promise.all([
      sandbox.startEmbeddedService({}, service.dataDir),
      createKeyByProcess(),
      createKeyByProcess(),
    ]);
    service = started;
    const { key } = await createKeyByProcess();
    assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
  });
});
