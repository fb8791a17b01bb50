import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { created, makeKey, postRole, postUser } from '../support/access-resources.ts';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason } from '../support/citus.ts';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { everyRead, readAll } from '../support/every-read.ts';
import { deleteButHold, type HeldProvider } from '../support/held-provider.ts';
import { seedFindings } from '../support/listed-findings.ts';
import { createConformance } from '../support/openapi-conformance.ts';
import { readOperations } from '../support/openapi-description.ts';
import { uploadDryRun } from '../support/openapi-examples.ts';
import { createWalk } from '../support/openapi-walk.ts';
import { findDistributedStatements, recordingTo } from '../support/recorded-statements.ts';
import { record, without } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import type { Service } from '../support/service.ts';
import { makeEndedWebhook } from '../support/webhook-receiver.ts';

/** The use of a key is not stored, because it would change the responses. */
const SETTINGS = { SLUICE_KEY_USE_SECONDS: '3600', SLUICE_GC_INTERVAL_MINUTES: '0' };

describe('a distributed database that was restored from a backup', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  let citus: CitusDatabase;
  let dataDir: string;
  let folder: string;
  let held: HeldProvider;
  let description: unknown;
  /** The expected bodies of the reads with each key. */
  let expected: readonly { readonly key: string; readonly bodies: ReadonlyMap<string, unknown> }[];
  let statements: string;
  before(async () => {
    citus = await createCitusDatabase();
    const original = await sandbox.startService({ ...SETTINGS, SLUICE_WORKERS: '1' });
    const second = await createSecondTenant(original);
    held = await seed(original, second.client);
    description = await (await fetch(`${original.url}/api/v1/openapi.json`)).json();
    const operations = readOperations(description);
    const client = createClient(original.url, original.key);
    const paths = await everyRead(operations, client);
    const ofSecond = (await everyRead(operations, second.client)).filter((path) => path.endsWith('?'));
    expected = [
      { key: original.key, bodies: await readAll(original, original.key, paths) },
      { key: second.key, bodies: await readAll(original, second.key, ofSecond) },
    ];
    for (const { bodies } of expected)
      assert.deepEqual(
        [...bodies].filter(([, body]) => typeof body === 'number'),
        [],
      );
    dataDir = await sandbox.newDataDir();
    folder = path.join(dataDir, 'backup');
    await original.sluice('backup', folder);
    await sluice('restore', folder);
    await sluice('migrate', '--distribute', '--shards', '4');
    statements = path.join(dataDir, 'statements');
  });
  after(async () => {
    await held?.letGo();
    await sandbox.clear();
    await citus?.remove();
  });

  const start = (...args: string[]) => sandbox.sluice(dataDir, args, { DATABASE_URL: citus.ownerUrl });
  const sluice = async (...args: string[]) => {
    const { code, stderr } = await start(...args);
    assert.equal(code, 0, stderr);
  };

  it('returns the same responses as the original to reads of all resources, and can be changed', async () => {
    const environment = { ...SETTINGS, ...recordingTo(statements), DATABASE_URL: citus.ownerUrl };
    // Without workers, which would remove the rows of the deleted provider.
    const service = await sandbox.startService(environment, dataDir, ['--role', 'api']);
    for (const { key, bodies } of expected) {
      const found = await readAll(service, key, [...bodies.keys()]);
      for (const [read, body] of bodies) assert.deepEqual(found.get(read), body, read);
    }
    const walk = createWalk({ ...service, key: expected[0]?.key ?? '' }, createConformance(description));
    for (const operation of readOperations(description))
      if (operation.method !== 'GET') {
        const { status } = await walk.send(operation, await walk.exampleOf(operation), 'on Citus');
        assert.ok(status < 300, `${operation.id}: ${status}`);
      }
    assert.equal(service.output.stderr, '');
    await service.end('SIGKILL');
  });

  it('uses one node and one step for each statement', async () => {
    const { count, found } = await findDistributedStatements(citus.ownerUrl, statements);
    assert.deepEqual(found, []);
    assert.ok(count > 500, `only ${count} statements`);
  });

  it('cannot be backed up, and no backup can be restored into it', async () => {
    for (const [args, message] of [
      [
        ['backup', `${folder}-again`],
        /^sluice: a distributed database cannot be backed up with Sluice, .* citus_create_restore_point\n$/,
      ],
      [['restore', folder], /^sluice: the database already contains tables in the schema sluice;/],
    ] as const) {
      const { code, stderr } = await start(...args);
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
  });
});

/** Stores data of every type for two tenants, with a deleted provider whose rows are not removed. */
async function seed(service: Service, second: Client): Promise<HeldProvider> {
  const client = createClient(service.url, service.key);
  for (const tenant of [client, second]) await tenant.ingest('no records');
  const { ofDeletedProvider } = await seedFindings(service, client, second);
  const further = [
    record({
      resources: [{ uid: 'one', type: 1, labels: ['team=a'] }, { uid: 'two' }],
      cloud: { region: '' },
      metadata: { product: { name: 'Cloud scanner' } },
    }),
    without('resources', record({ finding_info: { uid: 'without resources' } })),
  ];
  for (const tenant of [client, second]) {
    await tenant.ingest([{ class_uid: 1 }, ...further]);
    await uploadDryRun(tenant);
    const { id } = created(await postRole(tenant, 'Auditors', ['manage_scans']));
    const user = created(await postUser(tenant, 'auditor@example.com', [id]));
    await makeKey(tenant, { name: 'Audit' }, user.id);
    await makeEndedWebhook(tenant, { url: 'https://receiver.invalid/' });
    const [provider] = (await tenant.get<Resource[]>('/providers')).body.data;
    const changes = { type: 'providers', id: provider?.id, attributes: { alias: 'Main' } };
    assert.equal((await tenant.document('PATCH', `/providers/${provider?.id}`, changes)).status, 200);
  }
  return await deleteButHold(service, ofDeletedProvider[0]?.provider ?? '');
}
