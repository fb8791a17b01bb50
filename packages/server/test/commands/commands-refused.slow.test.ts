import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PERMISSIONS, UNKNOWN_ID } from '../support/access-resources.ts';
import { createUser } from '../support/operator.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';

describe('admin commands that cannot do what they are asked for', { concurrency: 4 }, () => {
  const sandbox = createSandbox();
  let service: Service;
  let tenant: string;
  const user = 'somebody@example.com';
  before(async () => {
    service = await sandbox.startEmbeddedService();
    tenant = (await service.sluiceJson<{ id: string }>('tenant', 'create', 'Acme')).id;
    await createUser(service, tenant, user);
  });
  after(() => sandbox.clear());

  for (const { what, words, says } of [
    {
      what: 'an unknown tenant',
      words: () => ['user', 'create', '--tenant', UNKNOWN_ID, '--email', user],
      says: `tenant ${UNKNOWN_ID} does not exist`,
    },
    {
      what: 'an unknown user',
      words: () => ['api-key', 'create', '--tenant', tenant, '--user', 'nobody@example.com'],
      says: 'the tenant has no user nobody@example.com',
    },
    {
      what: 'an unknown prefix of a key',
      words: () => ['api-key', 'revoke', '--tenant', tenant, 'sk_00000000'],
      says: 'no API key of the tenant has the prefix sk_00000000',
    },
    {
      what: "another tenant's key",
      words: () => ['api-key', 'revoke', '--tenant', tenant, service.key.split('.')[0] ?? ''],
      says: 'no API key of the tenant has the prefix sk_',
    },
    {
      what: 'an unknown provider',
      words: () => ['provider', 'delete', '--tenant', tenant, UNKNOWN_ID],
      says: `the tenant has no provider ${UNKNOWN_ID}`,
    },
    {
      what: 'a user who exists',
      words: () => ['user', 'create', '--tenant', tenant, '--email', user],
      says: `the tenant already has a user ${user}`,
    },
  ]) {
    it(`exit with 1 and one line for ${what}`, async () => {
      const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, [...words(), '--json']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^sluice: [^\n]+\n$/);
      assert.ok(stderr.startsWith(`sluice: ${says}`), stderr);
    });
  }

  const inTenant = ['--tenant', UNKNOWN_ID];
  const forUser = [...inTenant, '--user', user];
  for (const { what, words, says } of [
    { what: 'no command', words: [], says: 'a command is missing' },
    {
      what: 'an unknown command',
      words: ['tenant', 'rename', 'A'],
      says: "unknown command 'tenant rename'",
    },
    {
      what: 'a misspelled command',
      words: ['api-kye', 'create', '--tenant', UNKNOWN_ID],
      says: "unknown command 'api-kye create'; did you mean 'api-key create'?",
    },
    {
      what: 'a misspelled command of one word',
      words: ['serv', '--role', 'api'],
      says: "unknown command 'serv'; did you mean 'serve'?",
    },
    {
      what: 'half a command',
      words: ['user', '--json'],
      says: "unknown command 'user'; did you mean 'user create' or 'user set-permissions'?",
    },
    {
      what: 'help for an unknown command',
      words: ['help', 'provider', 'remove'],
      says: "unknown command 'provider remove'; did you mean 'provider delete'?",
    },
    {
      what: 'an argument of serve',
      words: ['serve', 'now'],
      says: "unexpected argument 'now'",
    },
    {
      what: 'an unknown role',
      words: ['serve', '--role', 'workers'],
      says: "--role must be api, worker, all, not 'workers'",
    },
    {
      what: 'an empty role',
      words: ['serve', '--role='],
      says: "--role must be api, worker, all, not ''",
    },
    {
      what: 'a role that is not named',
      words: ['serve', '--role'],
      says: "Option '--role <value>' argument missing",
    },
    { what: 'an unknown option of serve', words: ['serve', '--port', '1'], says: "Unknown option '--port'" },
    { what: 'an option of the others', words: ['serve', '--json'], says: "Unknown option '--json'" },
    { what: 'a missing name', words: ['tenant', 'create'], says: 'NAME is missing' },
    { what: 'a blank name', words: ['tenant', 'create', ' '], says: 'NAME is missing' },
    {
      what: 'one name too many',
      words: ['tenant', 'create', 'A', 'B'],
      says: "unexpected argument 'B'",
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
      says: `'manage_all' is not a permission; the permissions are ${PERMISSIONS.join(', ')}`,
    },
    {
      what: 'a permission that is none for a user',
      words: ['user', 'set-permissions', ...inTenant, '--email', user, 'Manage Ingestions'],
      says: "'Manage Ingestions' is not a permission; the permissions are ",
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
      assert.deepEqual(usage.slice(0, 3), ['', 'Usage:', '  sluice serve [--role api|worker|all]']);
      assert.deepEqual(await readdir(dataDir), []);
    });
  }
});

describe('admin commands with a data directory without a database', { concurrency: 4 }, () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  for (const words of [
    ['tenant', 'create', 'Acme'],
    ['provider', 'list', '--tenant', UNKNOWN_ID],
    ['gc', '--dry-run'],
  ])
    it(`exit with 1, name the folder and create no database: ${words.join(' ')}`, async () => {
      const parent = await sandbox.newDataDir();
      const dataDir = path.join(parent, 'data');
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, [...words, '--json']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(
        stderr,
        `sluice: there is no database in the data directory ${dataDir}; set SLUICE_DATA_DIR to that of the service, or DATABASE_URL\n`,
      );
      assert.deepEqual(await readdir(parent), []);
    });

  it('exit with 1 where the data directory is a file', async () => {
    const file = path.join(await sandbox.newDataDir(), 'file');
    await writeFile(file, '');
    const { code, stdout, stderr } = await sandbox.sluice(file, ['tenant', 'create', 'Acme']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^sluice: there is no database in the data directory \S+\/file; [^\n]+\n$/);
  });
});
