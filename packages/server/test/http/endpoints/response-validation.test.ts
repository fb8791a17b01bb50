import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/observability/log.ts';
import { type RunningServer, startServer } from '../../../src/process/server.ts';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { type Service, settings } from '../../support/service.ts';
import { UNEXPECTED_VALUES, type UnexpectedValue } from './unexpected-rows.ts';

/** Two findings of different providers and checks, two records with a warning, and two invalid records. */
const RECORDS = [
  record(),
  record({
    severity_id: 2,
    severity: 'Low',
    metadata: { event_code: 'key_not_rotated' },
    finding_info: { uid: 'finding-2', title: 'Keys are rotated' },
    cloud: { account: { uid: '444455556666' } },
  }),
  ...[3, 4].map((at) => record({ finding_info: { uid: `finding-${at}` }, severity_id: 42 })),
  ...[5, 6].map((at) => record({ finding_info: { uid: `finding-${at}` }, status_code: 'UNKNOWN' })),
];

/** Stores the changed counts as changes that are not folded yet, which the totals do not contain. */
const RECOUNT = `
  truncate finding_totals, finding_total_changes;
  insert into finding_total_changes (tenant_id, provider_id, check_keys, facet_keys, codes, counts)
    select tenant_id, provider_id, array[check_key], array[facet_key],
      array[finding_count_code(severity, status, muted, delta)], array[1] from findings`;

/** Processes that share a database: one with NODE_ENV=test, the other in production. */
describe('a row that does not match the API description', () => {
  const sandbox = createSandbox();
  let development: Service;
  let production: RunningServer;
  let validated: Client;
  let client: Client;
  let ingestionId: string;

  before(async () => {
    // A separate service, because the test adds values to the enums of the database.
    development = await sandbox.startService({ SLUICE_WORKERS: '1' });
    validated = createClient(development.url, development.key);
    const config = readConfig(
      settings(development.dataDir, { DATABASE_URL: development.databaseUrl, NODE_ENV: 'production' }),
    );
    production = await startServer('api', config, createLog('silent', null));
    client = createClient(production.url ?? '', development.key);
    await client.ingest([record({ finding_info: { uid: 'earlier' } })]);
    ingestionId = (await client.ingest(RECORDS)).id;
    await client.document('POST', '/users', { type: 'users', attributes: { email: 'b@example.com' } });
    const role = { type: 'roles', attributes: { name: 'Readers', permissions: ['read_findings'] } };
    await client.document('POST', '/roles', role);
    await client.document('POST', '/api-keys', { type: 'api-keys', attributes: { name: 'Second' } });
    await development.sql(`alter type finding_status add value 'LATER'`);
    await development.sql(`alter type ingestion_status add value 'later'`);
  });
  after(async () => {
    await production.stop();
    await sandbox.clear();
  });

  /** Runs the statement without triggers, and then updates the stored counts. */
  const change = async (sql: string, values: unknown[]) => {
    const session = await development.connect();
    try {
      await session.query('set session_replication_role = replica');
      const { rowCount } = await session.query(sql, values);
      assert.ok(rowCount !== null && rowCount > 0, 'no row was changed');
      if (sql.startsWith('update findings')) await session.query(RECOUNT);
    } finally {
      await session.end();
    }
  };
  /** Runs `work` while a column of the rows where `key` has this value contains an unexpected value. */
  const whileUnexpected = async (
    {
      table,
      column,
      type,
      value,
      key = 'id',
      keySql = key,
    }: Omit<UnexpectedValue, 'path' | 'at' | 'expected'>,
    keyValue: string,
    work: () => Promise<void>,
  ) => {
    const where = `where tenant_id = '${development.tenantId}' and ${keySql}::text = $1`;
    const [row] = await development.sql(`select ${column}::text as original from ${table} ${where}`, [
      keyValue,
    ]);
    const set = (text: unknown) =>
      change(`update ${table} set ${column} = $2::text::${type} ${where}`, [keyValue, text]);
    await set(value);
    try {
      await work();
    } finally {
      await set(row?.original);
    }
  };
  const assertInternalError = async (path: string, place: string) => {
    const begin = development.output.stderr.length;
    const { status, body } = await validated.get(path);
    assert.deepEqual([status, body.errors?.[0]?.code], [500, 'internal_error'], path);
    const log = development.output.stderr.slice(begin);
    assert.match(log, /does not match its schema/);
    assert.ok(log.includes(place), `the log does not contain ${place}: ${log}`);
  };

  for (const unexpected of UNEXPECTED_VALUES) {
    const { path, isListOnly = false, table, column, value, key = 'id', at, expected } = unexpected;
    it(`is returned by GET ${path} if ${table}.${column} is ${value}, unless responses are validated`, async () => {
      const list = path.replace('{id}', ingestionId);
      const original = await client.get<Resource[]>(list);
      const { text } = await validated.get(list);
      assert.equal(text, original.text.replaceAll(production.url ?? '', development.url));
      const [first] = original.body.data;
      assert.ok(first !== undefined && original.body.data.length > 1, 'the list is too short');
      const keyValue = key === 'id' ? first.id : String(first.attributes[key]);

      await whileUnexpected(unexpected, keyValue, async () => {
        const { status, body } = await client.get<Resource[]>(list);
        assert.equal(status, 200);
        assert.equal(body.data.length, original.body.data.length);
        const returned = body.data.find(({ id }) => id === first.id);
        assert.deepEqual(memberAt(returned, at), expected);
        for (const resource of original.body.data.slice(1))
          assert.deepEqual(
            body.data.find(({ id }) => id === resource.id),
            resource,
          );
        await assertInternalError(list, at);
        if (isListOnly) return;
        const single = `${path.split('?')[0]}/${encodeURIComponent(first.id)}`;
        const one = await client.get<Resource>(single);
        assert.deepEqual([one.status, memberAt(one.body.data, at)], [200, expected]);
        await assertInternalError(single, at);
      });
    });
  }

  it('is included with the resources that refer to it', async () => {
    const [provider] = (await client.get<Resource[]>('/providers')).body.data;
    const column = { table: 'providers', column: 'created_at', type: 'timestamptz', value: 'infinity' };
    await whileUnexpected(column, provider?.id ?? '', async () => {
      const path = '/findings?include=provider';
      const { status, body } = await client.get<Resource[]>(path);
      const included = body.included?.find(({ id }) => id === provider?.id);
      assert.deepEqual([status, memberAt(included, 'attributes.inserted_at')], [200, null]);
      await assertInternalError(path, 'included');
    });
  });

  it('is counted in the summary if its severity is 42', async () => {
    const [finding] = (await client.get<Resource[]>('/findings')).body.data;
    const severity = { table: 'findings', column: 'severity', type: 'smallint', value: '42' };
    const original = (await client.get<Resource>('/findings/summary')).body.data.attributes;
    await whileUnexpected(severity, finding?.id ?? '', async () => {
      const { status, body } = await client.get<Resource>('/findings/summary');
      const { attributes } = body.data;
      assert.deepEqual(
        [status, attributes.count, memberAt(attributes, 'by_severity.42.count')],
        [200, original.count, 1],
      );
      await assertInternalError('/findings/summary', 'by_severity');
    });
  });

  it('is counted in the trend if its severity is 42', async () => {
    const path = '/findings/trend?days=2';
    const [finding] = (await client.get<Resource[]>('/findings?filter[status]=FAIL')).body.data;
    const severity = { table: 'findings', column: 'severity', type: 'smallint', value: '42' };
    const failed = memberAt((await client.get<Resource>('/findings/summary')).body.data, 'attributes.failed');
    await whileUnexpected(severity, finding?.id ?? '', async () => {
      const { status, body } = await client.get<Resource>(path);
      const { days } = body.data.attributes;
      assert.ok(Array.isArray(days));
      const today = days.at(-1);
      assert.deepEqual(
        [status, memberAt(today, 'failed'), memberAt(today, 'failed_by_severity.42')],
        [200, failed, 1],
      );
      await assertInternalError(path, 'days');
    });
  });
});

/** The value at a path such as `attributes.name`. */
function memberAt(value: unknown, path: string): unknown {
  let member = value;
  for (const name of path.split('.')) {
    assert.ok(typeof member === 'object' && member !== null, `${path} does not exist`);
    member = new Map(Object.entries(member)).get(name);
  }
  return member;
}
