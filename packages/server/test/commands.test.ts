import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { createClient } from './support/client.ts';
import { postmasterOf } from './support/postmaster.ts';
import { record } from './support/records.ts';
import { createSandbox } from './support/sandbox.ts';
import type { Service } from './support/service.ts';

const ALL = [
  'manage_ingestions',
  'manage_providers',
  'manage_users',
  'manage_account',
  'manage_billing',
  'manage_scans',
];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const NOBODY = '0198a000-0000-7000-8000-000000000000';

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
  const json = <Result = Record<string, unknown>>(...words: string[]) => service.sluiceJson<Result>(...words);
  const createUser = (email: string) =>
    json<{ id: string }>('user', 'create', '--tenant', tenant, '--email', email);
  const createKey = (...words: string[]) =>
    json<Key>('api-key', 'create', '--tenant', tenant, '--user', user, ...words);
  before(async () => {
    service = await sandbox.startService();
    tenant = (await json<{ id: string }>('tenant', 'create', 'Acme')).id;
    await createUser(user);
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
      assert.deepEqual(all, { id: all.id, email: 'all@example.com', permissions: ALL });
      assert.deepEqual(some, {
        id: some.id,
        email: 'some@example.com',
        permissions: ['manage_scans', 'manage_users'],
      });
      assert.deepEqual(nothing, { id: nothing.id, email: 'nothing@example.com', permissions: [] });
    });

    it('user set-permissions replaces all that a user may do', async () => {
      const email = 'changing@example.com';
      const { id } = await createUser(email);
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

  describe('that cannot do what they are asked for', { concurrency: 4 }, () => {
    for (const { what, words, says } of [
      {
        what: 'an unknown tenant',
        words: () => ['user', 'create', '--tenant', NOBODY, '--email', user],
        says: `there is no tenant ${NOBODY}`,
      },
      {
        what: 'an unknown user',
        words: () => ['api-key', 'create', '--tenant', tenant, '--user', 'nobody@example.com'],
        says: 'the tenant has no user nobody@example.com',
      },
      {
        what: 'an unknown prefix of a key',
        words: () => ['api-key', 'revoke', '--tenant', tenant, 'sk_00000000'],
        says: 'the tenant has no API key with the prefix sk_00000000',
      },
      {
        what: "another tenant's key",
        words: () => ['api-key', 'revoke', '--tenant', tenant, service.key.split('.')[0] ?? ''],
        says: 'the tenant has no API key with the prefix sk_',
      },
      {
        what: 'an unknown provider',
        words: () => ['provider', 'delete', '--tenant', tenant, NOBODY],
        says: `the tenant has no provider ${NOBODY}`,
      },
      {
        what: 'a user who exists',
        words: () => ['user', 'create', '--tenant', tenant, '--email', user],
        says: `the tenant has a user ${user} already`,
      },
    ]) {
      it(`exit with 1 and one line for ${what}`, async () => {
        const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, [...words(), '--json']);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^sluice: [^\n]+\n$/);
        assert.ok(stderr.startsWith(`sluice: ${says}`), stderr);
      });
    }

    const inTenant = ['--tenant', NOBODY];
    const forUser = [...inTenant, '--user', user];
    for (const { what, words, says } of [
      { what: 'no command', words: [], says: 'a command is missing' },
      {
        what: 'an unknown command',
        words: ['tenant', 'rename', 'A'],
        says: "there is no command 'tenant rename'",
      },
      { what: 'an argument of serve', words: ['serve', 'now'], says: "serve takes no arguments, not 'now'" },
      { what: 'a missing name', words: ['tenant', 'create'], says: 'NAME is missing' },
      { what: 'a blank name', words: ['tenant', 'create', ' '], says: 'NAME is missing' },
      {
        what: 'one name too many',
        words: ['tenant', 'create', 'A', 'B'],
        says: "'B' is one argument too many",
      },
      {
        what: 'an unknown option',
        words: ['tenant', 'create', 'A', '--plan', 'x'],
        says: "Unknown option '--plan'",
      },
      {
        what: 'an option without its value',
        words: ['provider', 'list', '--tenant'],
        says: "Option '--tenant <value>' argument missing",
      },
      {
        what: 'an unknown subscription',
        words: ['subscription', 'set', ...inTenant, 'paid'],
        says: "the subscription must be active or none, not 'paid'",
      },
      { what: 'no tenant', words: ['provider', 'list'], says: '--tenant is missing' },
      {
        what: 'a tenant that is no id',
        words: ['provider', 'list', '--tenant', 'Acme'],
        says: "--tenant must be the id of a tenant, not 'acme'",
      },
      { what: 'no user', words: ['api-key', 'create', ...inTenant], says: '--user is missing' },
      {
        what: 'an email that is none',
        words: ['user', 'create', ...inTenant, '--email', 'me'],
        says: "--email must be an address like name@example.com, not 'me'",
      },
      {
        what: 'a permission that is none',
        words: ['api-key', 'create', ...forUser, '--permissions', 'manage_scans,manage_all'],
        says: `'manage_all' is no permission; the permissions are ${ALL.join(', ')}`,
      },
      {
        what: 'a permission that is none for a user',
        words: ['user', 'set-permissions', ...inTenant, '--email', user, 'Manage Ingestions'],
        says: "'Manage Ingestions' is no permission; the permissions are ",
      },
      {
        what: 'no permissions to set',
        words: ['user', 'set-permissions', ...inTenant, '--email', user],
        says: 'the list of permissions is missing',
      },
      ...['tomorrow', '2027-02-29', '2027-13-01T00:00:00Z', '2027-01-31T12:00:00', '1800000000'].map(
        (time) => ({
          what: `'${time}' as the end of a key`,
          words: ['api-key', 'create', ...forUser, '--expires', time],
          says: `--expires must be an ISO 8601 time with its zone, like 2027-01-31T00:00:00Z, not '${time}'`,
        }),
      ),
      {
        what: 'a provider that is no id',
        words: ['provider', 'delete', ...inTenant, 'aws'],
        says: "PROVIDER_ID must be the id that 'sluice provider list' shows, not 'aws'",
      },
    ]) {
      it(`exit with 2 and the usage for ${what}, and touch no data`, async () => {
        const dataDir = await sandbox.newDataDir();
        const { code, stdout, stderr } = await sandbox.sluice(dataDir, words);
        assert.deepEqual([code, stdout], [2, '']);
        const [line = '', ...usage] = stderr.split('\n');
        assert.ok(line.startsWith(`sluice: ${says}`), line);
        assert.deepEqual(usage.slice(0, 3), ['', 'Usage:', '  sluice serve']);
        assert.deepEqual(await readdir(dataDir), []);
      });
    }
  });

  it('are all listed by --help', async () => {
    const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, ['--help']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.match(/(?<=^ {2})sluice \S+( [a-z-]+)?/gm), [
      'sluice serve',
      'sluice tenant create',
      'sluice subscription set',
      'sluice user create',
      'sluice user set-permissions',
      'sluice api-key create',
      'sluice api-key revoke',
      'sluice provider list',
      'sluice provider delete',
    ]);
  });

  it('work while the service does not run, several at once, and leave no database running', async () => {
    await service.end();
    const keys = await Promise.all([createKey(), createKey(), createKey()]);
    assert.equal(await postmasterOf(service.dataDir), undefined);

    service = await sandbox.startService({}, service.dataDir);
    for (const { key } of keys)
      assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
  });

  it('leave the database to a service that started while they ran', async () => {
    await service.end();
    const [started] = await Promise.all([
      sandbox.startService({}, service.dataDir),
      createKey(),
      createKey(),
    ]);
    service = started;
    const { key } = await createKey();
    assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
  });
});
