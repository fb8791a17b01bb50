import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { record } from '../support/records.ts';
import { assertRefused } from '../support/refusal.ts';

interface Resource {
  readonly id: string;
}
interface WithIncluded {
  readonly data: unknown;
  readonly included?: readonly { readonly type: string }[];
}

describe('access to included resources', () => {
  let service: SharedService;
  const clients = new Map<string, Client>();
  /** The ID to use in paths, by resource type. */
  const ids = new Map<string, string>();
  before(async () => {
    service = await joinService();
    const all = createClient(service.url, service.key);
    await all.ingest([record()]);
    const tenant = ['--tenant', service.tenantId];
    const admin = ['--email', 'all@example.com'];
    const accountant = ['--email', 'accountant@example.com', '--permissions', 'manage_account,read_findings'];
    await service.sluiceJson('user', 'create', ...tenant, ...admin);
    await service.sluiceJson('user', 'create', ...tenant, ...accountant);
    const keyFor = async (user: string, ...more: string[]) => {
      const words = ['api-key', 'create', ...tenant, '--user', user, ...more];
      const { key } = await service.sluiceJson<{ key: string }>(...words);
      return createClient(service.url, key);
    };
    clients.set('a key with all permissions', all);
    clients.set('a key whose user lacks the permission', await keyFor('accountant@example.com'));
    const restricted = ['--permissions', 'manage_account,read_findings'];
    clients.set('a key restricted to other permissions', await keyFor('all@example.com', ...restricted));
    const permissions = ['--permissions', 'manage_account,manage_ingestions,manage_users,read_findings'];
    clients.set(
      'a key restricted to the required permissions',
      await keyFor('all@example.com', ...permissions),
    );
    // Creates an audit event whose user can be included.
    const role = { data: { type: 'roles', attributes: { name: 'For the audit trail', permissions: [] } } };
    const headers = { 'content-type': 'application/vnd.api+json' };
    const made = await all.send('/roles', { method: 'POST', headers, body: JSON.stringify(role) });
    assert.equal(made.status, 201);
    for (const type of ['scans', 'api-keys', 'audit-events']) {
      const { body } = await all.get<Resource[]>(`/${type}?page[size]=1`);
      ids.set(type, body.data[0]?.id ?? '');
    }
  });
  after(() => service.leave());

  const get = async (keyName: string, path: string) => {
    const client = clients.get(keyName);
    assert.ok(client, keyName);
    const full = path.replace(/^\/([a-z-]+)\/id/, (_, type: string) => `/${type}/${ids.get(type)}`);
    return await client.get(full);
  };

  const guarded = [
    ['/scans', 'ingestion', 'manage_ingestions', 'ingestions'],
    ['/scans/id', 'ingestion', 'manage_ingestions', 'ingestions'],
    ['/api-keys', 'user', 'manage_users', 'users'],
    ['/api-keys/id', 'user', 'manage_users', 'users'],
    ['/audit-events', 'user', 'manage_users', 'users'],
    ['/audit-events?page[after]=', 'user', 'manage_users', 'users'],
    ['/audit-events/id', 'user', 'manage_users', 'users'],
  ] as const;
  for (const [path, name, permission, type] of guarded) {
    const query = `${path}${path.includes('?') ? '&' : '?'}include=${name}`;

    for (const keyName of [
      'a key whose user lacks the permission',
      'a key restricted to other permissions',
    ]) {
      it(`rejects ${query} with ${keyName}, but accepts the request without the include parameter`, async () => {
        const response = await get(keyName, query);
        const detail = new RegExp(`Including .${name}. requires the permission ${permission}\\b`);
        const source = { parameter: 'include' };
        assertRefused(response, { status: 403, code: 'permission_denied', detail, source });
        assert.equal((await get(keyName, path)).status, 200);
      });
    }

    for (const keyName of ['a key with all permissions', 'a key restricted to the required permissions']) {
      it(`includes ${type} in the response to ${query} with ${keyName}`, async () => {
        const { status, body } = await get(keyName, query);
        const { included = [] }: WithIncluded = body;
        assert.equal(status, 200);
        assert.ok(included.length > 0);
        assert.deepEqual([...new Set(included.map((resource) => resource.type))], [type]);
      });
    }
  }

  it('rejects an include list that contains a forbidden relationship in any position', async () => {
    for (const include of ['ingestion,provider', 'provider,ingestion']) {
      const { status } = await get('a key whose user lacks the permission', `/scans?include=${include}`);
      assert.equal(status, 403);
    }
  });

  it('includes resources that every API key in the tenant can list', async () => {
    const keyName = 'a key whose user lacks the permission';
    for (const query of ['/scans?include=provider', '/findings?include=provider,check,scan'])
      assert.equal((await get(keyName, query)).status, 200);
  });

  it('rejects a forbidden include parameter after query validation and before the resource lookup', async () => {
    const keyName = 'a key whose user lacks the permission';
    const unknown = `/scans/${crypto.randomUUID()}?include=ingestion`;
    assert.equal((await get(keyName, unknown)).status, 403);
    assert.equal((await get(keyName, '/scans?include=ingestion&sort=nonsense')).status, 400);
  });
});
