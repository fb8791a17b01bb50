import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PERMISSIONS, UNKNOWN_ID } from '../support/access-resources.ts';
import { createUser } from '../support/operator.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';

describe('invalid admin commands', { concurrency: 4 }, () => {
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

  for (const { what, words, message } of [
    {
      what: 'an unknown tenant',
      words: () => ['user', 'create', '--tenant', UNKNOWN_ID, '--email', user],
      message: `tenant ${UNKNOWN_ID} does not exist`,
    },
    {
      what: 'an unknown user',
      words: () => ['api-key', 'create', '--tenant', tenant, '--user', 'nobody@example.com'],
      message: 'the tenant has no user nobody@example.com',
    },
    {
      what: 'an unknown API key prefix',
      words: () => ['api-key', 'revoke', '--tenant', tenant, 'sk_00000000'],
      message: 'the tenant has no API key with the prefix sk_00000000',
    },
    {
      what: "another tenant's API key",
      words: () => ['api-key', 'revoke', '--tenant', tenant, service.key.split('.')[0] ?? ''],
      message: 'the tenant has no API key with the prefix sk_',
    },
    {
      what: 'an unknown provider',
      words: () => ['provider', 'delete', '--tenant', tenant, UNKNOWN_ID],
      message: `the tenant has no provider ${UNKNOWN_ID}`,
    },
    {
      what: 'an existing user',
      words: () => ['user', 'create', '--tenant', tenant, '--email', user],
      message: `the tenant already has a user ${user}`,
    },
  ]) {
    it(`exits with code 1 and a one-line error for ${what}`, async () => {
      const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, [...words(), '--json']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^sluice: [^\n]+\n$/);
      assert.ok(stderr.startsWith(`sluice: ${message}`), stderr);
    });
  }

  const inTenant = ['--tenant', UNKNOWN_ID];
  const forUser = [...inTenant, '--user', user];
  for (const { what, words, message } of [
    { what: 'no command', words: [], message: 'missing command' },
    {
      what: 'an unknown command',
      words: ['tenant', 'rename', 'A'],
      message: "unknown command 'tenant rename'",
    },
    {
      what: 'a misspelled command',
      words: ['api-kye', 'create', '--tenant', UNKNOWN_ID],
      message: "unknown command 'api-kye create'; did you mean 'api-key create'?",
    },
    {
      what: 'a misspelled command of one word',
      words: ['serv', '--role', 'api'],
      message: "unknown command 'serv'; did you mean 'serve'?",
    },
    {
      what: 'an incomplete command',
      words: ['user', '--json'],
      message: "unknown command 'user'; did you mean 'user create' or 'user set-permissions'?",
    },
    {
      what: 'help for an unknown command',
      words: ['help', 'provider', 'remove'],
      message: "unknown command 'provider remove'; did you mean 'provider delete'?",
    },
    {
      what: 'an argument to serve',
      words: ['serve', 'now'],
      message: "unexpected argument 'now'",
    },
    {
      what: 'an unknown role',
      words: ['serve', '--role', 'workers'],
      message: "--role must be one of api, worker, all, not 'workers'",
    },
    {
      what: 'an empty role',
      words: ['serve', '--role='],
      message: "--role must be one of api, worker, all, not ''",
    },
    {
      what: '--role without a value',
      words: ['serve', '--role'],
      message: "Option '--role <value>' argument missing",
    },
    {
      what: 'an unknown option of serve',
      words: ['serve', '--port', '1'],
      message: "Unknown option '--port'",
    },
    { what: 'serve with --json', words: ['serve', '--json'], message: "Unknown option '--json'" },
    { what: 'a missing name', words: ['tenant', 'create'], message: 'missing argument NAME' },
    { what: 'a blank name', words: ['tenant', 'create', ' '], message: 'missing argument NAME' },
    {
      what: 'an extra argument',
      words: ['tenant', 'create', 'A', 'B'],
      message: "unexpected argument 'B'",
    },
    {
      what: 'an unknown option',
      words: ['tenant', 'create', 'A', '--plan', 'x'],
      message: "Unknown option '--plan'",
    },
    {
      what: 'an option without its value',
      words: ['provider', 'list', '--tenant'],
      message: "Option '--tenant <value>' argument missing",
    },
    {
      what: 'an unknown subscription',
      words: ['subscription', 'set', ...inTenant, 'paid'],
      message: "the subscription must be active or none, not 'paid'",
    },
    { what: 'no tenant', words: ['provider', 'list'], message: 'missing option --tenant' },
    {
      what: 'a tenant name in place of an ID',
      words: ['provider', 'list', '--tenant', 'Acme'],
      message: "--tenant must be the ID of a tenant, not 'acme'",
    },
    { what: 'no user', words: ['api-key', 'create', ...inTenant], message: 'missing option --user' },
    {
      what: 'an invalid email address',
      words: ['user', 'create', ...inTenant, '--email', 'me'],
      message: "--email must be an email address such as name@example.com, not 'me'",
    },
    {
      what: 'an unknown permission of a key',
      words: ['api-key', 'create', ...forUser, '--permissions', 'manage_scans,manage_all'],
      message: `'manage_all' is not a permission; the permissions are ${PERMISSIONS.join(', ')}`,
    },
    {
      what: 'an unknown permission of a user',
      words: ['user', 'set-permissions', ...inTenant, '--email', user, 'Manage Ingestions'],
      message: "'Manage Ingestions' is not a permission; the permissions are ",
    },
    {
      what: 'no permissions',
      words: ['user', 'set-permissions', ...inTenant, '--email', user],
      message: 'missing argument P,...',
    },
    ...['tomorrow', '2027-02-29', '2027-13-01T00:00:00Z', '2027-01-31T12:00:00', '1800000000'].map(
      (time) => ({
        what: `the expiry time '${time}'`,
        words: ['api-key', 'create', ...forUser, '--expires', time],
        message: `--expires must be an ISO 8601 time with a time zone, such as 2027-01-31T00:00:00Z, not '${time}'`,
      }),
    ),
    {
      what: 'a provider type in place of an ID',
      words: ['provider', 'delete', ...inTenant, 'aws'],
      message: "PROVIDER_ID must be an ID from 'sluice provider list', not 'aws'",
    },
  ]) {
    it(`exits with code 2, prints the usage and creates no data for ${what}`, async () => {
      const dataDir = await sandbox.newDataDir();
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, words);
      assert.deepEqual([code, stdout], [2, '']);
      const [line = '', ...usage] = stderr.split('\n');
      assert.ok(line.startsWith(`sluice: ${message}`), line);
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
    it(`names the data directory and creates no database if it has none: ${words.join(' ')}`, async () => {
      const parent = await sandbox.newDataDir();
      const dataDir = path.join(parent, 'data');
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, [...words, '--json']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.equal(
        stderr,
        `sluice: the data directory ${dataDir} contains no database; set SLUICE_DATA_DIR to the data directory of the service, or set DATABASE_URL\n`,
      );
      assert.deepEqual(await readdir(parent), []);
    });

  it('exits with code 1 if the data directory is a file', async () => {
    const file = path.join(await sandbox.newDataDir(), 'file');
    await writeFile(file, '');
    const { code, stdout, stderr } = await sandbox.sluice(file, ['tenant', 'create', 'Acme']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^sluice: the data directory \S+\/file contains no database; [^\n]+\n$/);
  });
});
