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

  for (const { description, args, message } of [
    {
      description: 'an unknown tenant',
      args: () => ['user', 'create', '--tenant', UNKNOWN_ID, '--email', user],
      message: `tenant ${UNKNOWN_ID} does not exist`,
    },
    {
      description: 'an unknown user',
      args: () => ['api-key', 'create', '--tenant', tenant, '--user', 'nobody@example.com'],
      message: 'the tenant has no user nobody@example.com',
    },
    {
      description: 'an unknown API key prefix',
      args: () => ['api-key', 'revoke', '--tenant', tenant, 'sk_00000000'],
      message: 'the tenant has no API key with the prefix sk_00000000',
    },
    {
      description: "another tenant's API key",
      args: () => ['api-key', 'revoke', '--tenant', tenant, service.key.split('.')[0] ?? ''],
      message: 'the tenant has no API key with the prefix sk_',
    },
    {
      description: 'an unknown provider',
      args: () => ['provider', 'delete', '--tenant', tenant, UNKNOWN_ID],
      message: `the tenant has no provider ${UNKNOWN_ID}`,
    },
    {
      description: 'the products of an unknown provider',
      args: () => ['provider', 'products', '--tenant', tenant, UNKNOWN_ID],
      message: `the tenant has no provider ${UNKNOWN_ID}`,
    },
    {
      description: 'the findings of an unknown provider',
      args: () => ['provider', 'resolve', '--tenant', tenant, UNKNOWN_ID, '--product', 'Scanner', '--yes'],
      message: `the tenant has no provider ${UNKNOWN_ID}`,
    },
    {
      description: 'an existing user',
      args: () => ['user', 'create', '--tenant', tenant, '--email', user],
      message: `the tenant already has a user ${user}`,
    },
  ]) {
    it(`exits with code 1 and a one-line error for ${description}`, async () => {
      const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, [...args(), '--json']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^sluice: [^\n]+\n$/);
      assert.ok(stderr.startsWith(`sluice: ${message}`), stderr);
    });
  }

  for (const args of [[], ['user']])
    it(`exits with code 2 and lists the commands on stderr for ${['sluice', ...args].join(' ')} without a command`, async () => {
      const { code, stdout, stderr } = await sandbox.sluice(await sandbox.newDataDir(), args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^Usage: sluice [\s\S]*\nCommands:\n[\s\S]*^ {2}user create /m);
    });

  const inTenant = ['--tenant', UNKNOWN_ID];
  const forUser = [...inTenant, '--user', user];
  for (const { description, args, message } of [
    {
      description: 'an unknown command',
      args: ['tenant', 'rename', 'A'],
      message: "unknown command 'rename'",
    },
    {
      description: 'a misspelled command',
      args: ['api-kye', 'create', '--tenant', UNKNOWN_ID],
      message: "unknown command 'api-kye' (Did you mean api-key?)",
    },
    {
      description: 'a misspelled one-word command',
      args: ['serv', '--role', 'api'],
      message: "unknown command 'serv' (Did you mean serve?)",
    },
    {
      description: 'help for an unknown command',
      args: ['help', 'provider', 'remove'],
      message: "unknown command 'remove'",
    },
    {
      description: 'an argument to serve',
      args: ['serve', 'now'],
      message: "too many arguments for 'serve'",
    },
    {
      description: 'an unknown role',
      args: ['serve', '--role', 'workers'],
      message: "option '--role <role>' argument 'workers' is invalid. Allowed choices are api, worker, all.",
    },
    {
      description: 'an empty role',
      args: ['serve', '--role='],
      message: "option '--role <role>' argument '' is invalid. Allowed choices are api, worker, all.",
    },
    {
      description: '--role without a value',
      args: ['serve', '--role'],
      message: "option '--role <role>' argument missing",
    },
    {
      description: 'an unknown option of serve',
      args: ['serve', '--port', '1'],
      message: "unknown option '--port'",
    },
    { description: 'serve with --json', args: ['serve', '--json'], message: "unknown option '--json'" },
    {
      description: 'a missing name',
      args: ['tenant', 'create'],
      message: "missing required argument 'name'",
    },
    {
      description: 'a blank name',
      args: ['tenant', 'create', ' '],
      message: "the value ' ' is invalid for argument 'name'. It must not be empty.",
    },
    {
      description: 'an extra argument',
      args: ['tenant', 'create', 'A', 'B'],
      message: "too many arguments for 'create'",
    },
    {
      description: 'an unknown option',
      args: ['tenant', 'create', 'A', '--plan', 'x'],
      message: "unknown option '--plan'",
    },
    {
      description: 'an option without its value',
      args: ['provider', 'list', '--tenant'],
      message: "option '--tenant <id>' argument missing",
    },
    {
      description: 'an unknown subscription',
      args: ['subscription', 'set', ...inTenant, 'paid'],
      message: "the value 'paid' is invalid for argument 'state'. Allowed choices are active, none.",
    },
    {
      description: 'no tenant',
      args: ['provider', 'list'],
      message: "required option '--tenant <id>' not specified",
    },
    {
      description: 'a tenant name in place of an ID',
      args: ['provider', 'list', '--tenant', 'Acme'],
      message: "option '--tenant <id>' argument 'Acme' is invalid. Use the ID (a UUID), not the name.",
    },
    {
      description: 'no user',
      args: ['api-key', 'create', ...inTenant],
      message: "required option '--user <email>' not specified",
    },
    {
      description: 'an invalid email address',
      args: ['user', 'create', ...inTenant, '--email', 'me'],
      message:
        "option '--email <email>' argument 'me' is invalid. Use an email address such as name@example.com.",
    },
    {
      description: 'an unknown API key permission',
      args: ['api-key', 'create', ...forUser, '--permissions', 'manage_scans,manage_all'],
      message: `option '--permissions <list>' argument 'manage_scans,manage_all' is invalid. 'manage_all' is not a permission. The permissions are ${PERMISSIONS.join(', ')}.`,
    },
    {
      description: 'an unknown user permission',
      args: ['user', 'set-permissions', ...inTenant, '--email', user, 'Manage Ingestions'],
      message:
        "the value 'Manage Ingestions' is invalid for argument 'permissions'. 'Manage Ingestions' is not a permission.",
    },
    {
      description: 'no permissions',
      args: ['user', 'set-permissions', ...inTenant, '--email', user],
      message: "missing required argument 'permissions'",
    },
    ...['tomorrow', '2027-02-29', '2027-13-01T00:00:00Z', '2027-01-31T12:00:00', '1800000000'].map(
      (time) => ({
        description: `the expiry time '${time}'`,
        args: ['api-key', 'create', ...forUser, '--expires', time],
        message: `option '--expires <time>' argument '${time}' is invalid. Use an ISO 8601 time with a time zone, such as 2027-01-31T00:00:00Z.`,
      }),
    ),
    {
      description: 'a resolution without a product',
      args: ['provider', 'resolve', ...inTenant, UNKNOWN_ID, '--yes'],
      message: "required option '--product <name>' not specified",
    },
    {
      description: 'a provider type in place of an ID',
      args: ['provider', 'delete', ...inTenant, 'aws'],
      message: "the value 'aws' is invalid for argument 'provider-id'. Use the ID (a UUID), not the name.",
    },
  ]) {
    it(`exits with code 2, names the help command and creates no data for ${description}`, async () => {
      const dataDir = await sandbox.newDataDir();
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, args);
      assert.deepEqual([code, stdout], [2, '']);
      const [line = '', ...rest] = stderr.split('\n');
      assert.ok(line.startsWith(`sluice: ${message}`), line);
      assert.match(
        rest.join('\n'),
        /^Run 'sluice help[a-z -]*' (?:for its arguments and options|to list the commands)\.\n$/,
      );
      assert.deepEqual(await readdir(dataDir), []);
    });
  }
});

describe('admin commands with a data directory without a database', { concurrency: 4 }, () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  for (const args of [
    ['tenant', 'create', 'Acme'],
    ['provider', 'list', '--tenant', UNKNOWN_ID],
    ['gc', '--dry-run'],
  ])
    it(`sluice ${args.join(' ')} reports that the data directory contains no database and does not create a database`, async () => {
      const parent = await sandbox.newDataDir();
      const dataDir = path.join(parent, 'data');
      const { code, stdout, stderr } = await sandbox.sluice(dataDir, [...args, '--json']);
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
