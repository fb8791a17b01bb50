import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeKey } from '../support/access-resources.ts';
import { type Client, createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { createKey, createUser } from '../support/operator.ts';
import { record } from '../support/records.ts';
import { createSecondTenant } from '../support/second-tenant.ts';

/** These paths require read_findings. */
const FINDINGS = [
  '/findings',
  '/findings/summary',
  '/findings/trend',
  '/findings/groups?by=check',
  '/findings/FINDING',
  '/scans',
  '/scans/SCAN',
  '/resources',
  '/resources/RESOURCE',
  '/checks',
  '/checks/CHECK',
  '/providers',
  '/providers/PROVIDER',
];
/** These paths also require manage_ingestions. */
const SUBMITTED = ['/ingestions/INGESTION/file', '/ingestions/INGESTION/records/0'];
const JOBS = [
  '/ingestions',
  '/ingestions/INGESTION',
  '/ingestions/INGESTION/errors',
  '/ingestions/INGESTION/warnings',
];
const ANYBODY = ['/limits', '/subscription'];

describe('the read_findings permission', () => {
  let service: SharedService;
  let all: Client;
  const ids: Record<string, string> = {};
  before(async () => {
    service = await joinService();
    all = createClient(service.url, service.key);
    ids.INGESTION = (await all.ingest([record(), record({ time: 'never' }), {}])).id;
    for (const [name, list] of Object.entries({
      FINDING: 'findings',
      SCAN: 'scans',
      CHECK: 'checks',
      RESOURCE: 'resources',
      PROVIDER: 'providers',
    }))
      ids[name] = (await all.get<{ id: string }[]>(`/${list}`)).body.data[0]?.id ?? '';
  });
  after(() => service.leave());

  const statuses = async (client: Client, paths: readonly string[]) => {
    const found = paths.map(async (path) => {
      const url = path.replace(/[A-Z]+/, (name) => ids[name] ?? name);
      return (await client.send(url, {})).status;
    });
    return [...new Set(await Promise.all(found))];
  };
  const restricted = async (...permissions: readonly string[]) =>
    all.as((await makeKey(all, { name: 'restricted', permissions })).key);
  const keyOfUserWith = async (...permissions: readonly string[]) => {
    const email = `${permissions.join('.').slice(0, 60)}@example.com`;
    await createUser(service, service.tenantId, email, permissions.join(','));
    return all.as(await createKey(service, service.tenantId, email));
  };

  it('requires read_findings for findings, scans, resources, checks, providers, groups, summaries, trends, files and records', async () => {
    assert.deepEqual(await statuses(all, [...FINDINGS, ...SUBMITTED, ...JOBS, ...ANYBODY]), [200]);
    for (const [client, refused] of [
      [await restricted('manage_ingestions'), 401],
      [await keyOfUserWith('manage_ingestions'), 403],
    ] as const) {
      assert.deepEqual(await statuses(client, [...FINDINGS, ...SUBMITTED]), [refused]);
      assert.deepEqual(await statuses(client, [...JOBS, ...ANYBODY]), [200]);
      assert.equal((await client.upload([record()])).status, 202);
    }
  });

  it('denies uploads, jobs, files and records to a key with only read_findings', async () => {
    for (const [client, refused] of [
      [await restricted('read_findings'), 401],
      [await keyOfUserWith('read_findings'), 403],
    ] as const) {
      assert.deepEqual(await statuses(client, [...FINDINGS, ...ANYBODY]), [200]);
      assert.deepEqual(await statuses(client, [...SUBMITTED, ...JOBS]), [refused]);
      assert.equal((await client.upload([record()])).status, refused);
    }
  });

  it('denies findings to a key without permissions, and to a user with every permission except read_findings', async () => {
    const nothing = await restricted();
    assert.deepEqual(await statuses(nothing, [...FINDINGS, ...SUBMITTED, ...JOBS]), [401]);
    assert.deepEqual(await statuses(nothing, ANYBODY), [200]);
    const old = ['ingestions', 'providers', 'users', 'account', 'billing', 'scans'].map(
      (name) => `manage_${name}`,
    );
    const client = await keyOfUserWith(...old);
    assert.deepEqual(await statuses(client, [...FINDINGS, ...SUBMITTED]), [403]);
    assert.deepEqual(
      await statuses(client, [...JOBS, '/users', '/roles', '/api-keys', '/audit-events']),
      [200],
    );
  });

  it('returns 401 without read_findings for findings that exist, are unknown or belong to another tenant', async () => {
    const other = await createSecondTenant(service);
    const client = await restricted('manage_ingestions');
    for (const path of ['/findings/nonsense', `/findings/${other.id}`, '/findings?filter[nonsense]=1'])
      assert.deepEqual(await statuses(client, [path]), [401]);
  });
});
