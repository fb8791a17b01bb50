import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PERMISSIONS } from '../support/access-resources.ts';
import { createClient } from '../support/client.ts';
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

describe('the admin commands', () => {
  const sandbox = createSandbox();
  let service: Service;
  let tenant: string;
  const user = 'somebody@example.com';
  const json = async <Result = Record<string, unknown>>(...words: string[]): Promise<Result> =>
    JSON.parse((await service.sluice(...words, '--json')).stdout);
  const createKey = (...words: string[]) =>
    json<Key>('api-key', 'create', '--tenant', tenant, '--user', user, ...words);
  before(async () => {
    service = await sandbox.startEmbeddedService();
    tenant = (await json<{ id: string }>('tenant', 'create', 'Acme')).id;
    await createUser({ sluiceJson: json }, tenant, user);
  });
  after(() => sandbox.clear());

  describe('with --json, while the service runs', () => {
    it('tenant create makes a tenant with an active subscription, or with none', async () => {
      const { id, ...made } = await json<{ id: string }>('tenant', 'create', 'Acme & Söhne');
      assert.match(id, UUID);
      assert.deepEqual(made, { name: 'Acme & Söhne', subscription: 'active' });
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

    it('subscription set changes the subscription of a tenant', async () => {
      for (const subscription of ['none', 'active']) {
        const printed = await json('subscription', 'set', '--tenant', tenant, subscription);
        assert.deepEqual(printed, { id: tenant, name: 'Acme', subscription });
        const stored = await service.sql('select subscription from tenants where tenant_id = $1', [tenant]);
        assert.deepEqual(stored, [{ subscription }]);
      }
    });

    it('user create makes a user who may do everything, or what is named', async () => {
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

    it('user set-permissions replaces all that a user may do', async () => {
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

    it('api-key create makes a key that works, without an end or with one', async () => {
      const [endless, ending, narrowed] = await Promise.all([
        createKey(),
        createKey('--expires', '2127-01-31T12:00:00+02:00'),
        createKey('--permissions', 'manage_scans'),
      ]);
      for (const [created, expires_at] of [
        [endless, null],
        [ending, '2127-01-31T10:00:00.000Z'],
        [narrowed, null],
      ] as const) {
        const { id, key } = created;
        assert.match(id, UUID);
        assert.match(key, /^sk_[0-9A-Za-z]{8}\.[0-9A-Za-z]{38}$/);
        assert.deepEqual(created, { id, prefix: key.split('.')[0], key, expires_at });
        assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
      }
      const denied = await createClient(service.url, narrowed.key).get('/ingestions');
      assert.equal(denied.status, 401);
    });

    it('api-key revoke ends a key, and tells the first time when it is asked again', async () => {
      const { prefix, key } = await createKey();
      const revoke = ['api-key', 'revoke', '--tenant', tenant, prefix];
      const revoked = await json(...revoke);
      assert.match(String(revoked.revoked_at), TIME);
      assert.deepEqual(revoked, { prefix, revoked_at: revoked.revoked_at });
      assert.deepEqual(await json(...revoke), revoked);
      assert.equal((await createClient(service.url, key).get('/limits')).status, 401);
    });

    it('provider list and delete show what the tenant is billed for, and end it', async () => {
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

  it('print lines for a person without --json', async () => {
    const { id: empty } = await json<{ id: string }>('tenant', 'create', 'Empty');
    const [made, listed, key] = await Promise.all([
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
      made.stdout,
      /^id {11}\S{36}\nemail {8}e@example\.com\npermissions {2}manage_scans, manage_users\n$/,
    );
    assert.equal(listed.stdout, '(none)\n');
    assert.match(key.stdout, /^id {10}\S{36}\nprefix {6}sk_\S{8}\nkey {9}sk_\S+\nexpires_at {2}-\n$/);
    assert.deepEqual([made.stderr, listed.stderr, key.stderr], ['', '', '']);
  });

  it('are all listed by --help', async () => {
    const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, ['--help']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.match(/(?<=^ {2})sluice \S+( [a-z-]+)?/gm), [
      'sluice serve',
      'sluice migrate',
      'sluice tenant create',
      'sluice subscription set',
      'sluice user create',
      'sluice user set-permissions',
      'sluice api-key create',
      'sluice api-key revoke',
      'sluice provider list',
      'sluice provider delete',
      'sluice job retry',
      'sluice gc',
      'sluice backup',
      'sluice restore',
    ]);
  });

  it('work while the service does not run, several at once, and leave no database running', async () => {
    await service.end();
    const keys = await Promise.all([createKey(), createKey(), createKey()]);
    assert.equal(await postmasterOf(service.dataDir), undefined);

    service = await sandbox.startEmbeddedService({}, service.dataDir);
    for (const { key } of keys)
      assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
  });

  it('leave the database to a service that started while they ran', async () => {
    await service.end();
    const [started] = await Promise.all([
      sandbox.startEmbeddedService({}, service.dataDir),
      createKey(),
      createKey(),
    ]);
    service = started;
    const { key } = await createKey();
    assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
  });
});
