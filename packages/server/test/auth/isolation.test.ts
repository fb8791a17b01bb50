import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { DOCUMENT_TYPE, type Resource } from '../support/client.ts';
import { assertUnknown, type ForeignValue, markedTexts, readLists } from '../support/foreign-requests.ts';
import { isWholeRun } from '../support/is-whole-run.ts';
import {
  createMarkedTenant,
  IDEMPOTENCY_KEYS,
  idsOf,
  MARK,
  type MarkedTenant,
  rowsOf,
} from '../support/marked-tenant.ts';
import { createConformance } from '../support/openapi-conformance.ts';
import { type Operation, type Parameter, readOperations } from '../support/openapi-description.ts';
import { type Example, ingestExamples, pathFor } from '../support/openapi-examples.ts';
import { createWalk } from '../support/openapi-walk.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import { type Service, startService } from '../support/service.ts';

/** Tables that are empty after the requests have been processed. */
const NO_ROWS = [
  'api_key_prefixes',
  'finding_backfills',
  'finding_counts',
  'finding_total_changes',
  'finding_trend_starts',
  'provider_removals',
  'reread_queue',
  'webhook_queue',
];

describe('tenant isolation', () => {
  let service: Service;
  let marked: MarkedTenant;
  const cleanUps: (() => Promise<void>)[] = [];
  let other: SecondTenant;
  let operations: readonly Operation[];
  let examples: ReadonlyMap<Operation, Example>;
  let uuids: readonly ForeignValue[];
  let ids: readonly ForeignValue[];
  let texts: readonly ForeignValue[];
  let resources: readonly Resource[];
  let cursors: ReadonlyMap<string, readonly string[]>;
  let rowsBefore: Awaited<ReturnType<typeof rowsOf>>;
  let ownIds: ReadonlySet<string>;
  before(async () => {
    // Last-use times are written hourly, because a write during the tests would change the marked tenant's rows.
    service = await startService({ SLUICE_WORKERS: '1', SLUICE_KEY_USE_SECONDS: '3600' });
    other = await createSecondTenant(service);
    await ingestExamples(other.client);
    const description: unknown = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
    operations = readOperations(description);
    const walk = createWalk({ ...service, key: other.key }, createConformance(description));
    const found = new Map<Operation, Example>();
    for (const operation of operations) found.set(operation, await walk.exampleOf(operation));
    examples = found;

    marked = await createMarkedTenant(service);
    cleanUps.push(marked.release);
    ({ resources, cursors } = await readLists(marked.client, operations));
    texts = markedTexts(resources);
    const unknown = randomUUID();
    uuids = (await idsOf(service, marked.id)).map((foreign) => ({ foreign, unknown }));
    // Check IDs are not UUIDs.
    ids = [...uuids, ...texts.filter(({ foreign }) => resources.some(({ id }) => id === foreign))];
    ownIds = new Set((await readLists(other.client, operations)).resources.map(({ id }) => id));
    rowsBefore = await rowsOf(service, marked.id);
  });
  after(async () => {
    try {
      for (const cleanUp of cleanUps) await cleanUp();
    } finally {
      await service.remove();
    }
  });

  /** Sends a request as the other tenant. */
  const send = (operation: Operation, { id = '', query = '', body, form }: Example): Promise<Response> =>
    fetch(`${service.url}${pathFor(operation.path, { id })}?${query}`, {
      method: operation.method,
      headers: {
        authorization: `Api-Key ${other.key}`,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': DOCUMENT_TYPE }),
      },
      ...((body !== undefined || form !== undefined) && {
        body: body === undefined ? (form ?? null) : JSON.stringify(body),
      }),
    });
  const exampleOf = (operation: Operation): Example => examples.get(operation) ?? {};
  const withParameter = (operation: Operation, { name }: Parameter, value: string): Promise<Response> => {
    const { id } = exampleOf(operation);
    return send(operation, {
      ...(id !== undefined && { id }),
      query: new URLSearchParams({ [name]: value }).toString(),
    });
  };
  /** Sends the example request with another ID in its path and body. */
  const withId = (operation: Operation, value: string): Promise<Response> => {
    const { body, id = '' } = exampleOf(operation);
    const moved = body === undefined ? {} : { body: JSON.parse(JSON.stringify(body).replaceAll(id, value)) };
    return send(operation, { id: value, ...moved });
  };

  /** Filter values from the marked tenant. Dates and enumerated values do not identify a tenant. */
  const valuesFor = ({ name, schema }: Parameter, { parameters }: Operation): readonly ForeignValue[] => {
    const { type, format, enum: words } = isMembers(schema.items) ? schema.items : schema;
    if (type !== 'string' || words !== undefined || format === 'date') return [];
    const values = format === 'uuid' ? uuids : [...ids, ...texts];
    if (!name.endsWith('__in]')) {
      // The filter for a list of values takes all values in one request.
      const hasList = parameters.some((other) => other.name === `${name.slice(0, -1)}__in]`);
      if (isWholeRun || format === 'uuid') return values;
      return values.filter((_, index) => index % (hasList ? 8 : 3) === 0);
    }
    const join = (key: keyof ForeignValue) => values.map((value) => value[key]).join(',');
    return [{ foreign: join('foreign'), unknown: join('unknown') }];
  };

  it('has test data in every table and for every ingestion status', () => {
    for (const [table, rows] of rowsBefore) {
      if (NO_ROWS.includes(table)) continue;
      assert.notEqual(rows.length, 0, `${table} is empty: add rows for it in support/marked-tenant.ts`);
    }
    const states = new Set(
      resources.filter(({ type }) => type === 'ingestions').map(({ attributes }) => attributes.status),
    );
    assert.deepEqual([...states].sort(), ['completed', 'failed', 'pending', 'processing']);
    for (const operation of operations.filter(({ path }) => path.includes('{id}')))
      assert.notEqual(exampleOf(operation).id, undefined, `${operation.id} has no example with an ID`);
    assert.ok(ids.length > 30 && texts.length > 20, `${ids.length} ids, ${texts.length} texts`);
  });

  it("returns the same response for another tenant's IDs as for unknown IDs in every path", async (t) => {
    const others = ids.filter((id) => !uuids.includes(id));
    for (const operation of operations.filter(({ path }) => path.includes('{id}')))
      await t.test(operation.id, async () => {
        const type = operation.path.split('/')[3];
        const ofType = new Set(resources.filter((one) => one.type === type).map(({ id }) => id));
        assert.notEqual(ofType.size, 0, `no IDs of ${type}`);
        const values = isWholeRun
          ? uuids
          : uuids.filter(({ foreign }, index) => ofType.has(foreign) || index % 3 === 0);
        await assertUnknown(`${operation.id} of`, values, (value) => withId(operation, value), 404);
        // An ID in the format of another resource type may be rejected as malformed.
        await assertUnknown(`${operation.id} of`, others, (value) => withId(operation, value));
      });
  });

  it("returns the same response for another tenant's filter values as for unknown values", async (t) => {
    const tested = new Set<string>();
    for (const operation of operations)
      await t.test(operation.id, async () => {
        for (const parameter of operation.parameters.filter(({ name }) => name.startsWith('filter['))) {
          // Lists, counts and exports of findings share their filters.
          const isTested = tested.has(`${parameter.name} ${parameter.description}`);
          tested.add(`${parameter.name} ${parameter.description}`);
          const values = valuesFor(parameter, operation).slice(0, isTested ? 1 : undefined);
          const label = `${operation.id} ${parameter.name}`;
          await assertUnknown(label, values, (value) => withParameter(operation, parameter, value));
        }
      });
  });

  it("never returns another tenant's data in lists or included resources, even for that tenant's cursors", async () => {
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const include = operation.parameters.find(({ name }) => name === 'include');
      const names =
        isMembers(include?.schema.items) && Array.isArray(include.schema.items.enum)
          ? include.schema.items.enum
          : [];
      const example = exampleOf(operation);
      const query = [example.query ?? '', ...(names.length === 0 ? [] : [`include=${names.join(',')}`])].join(
        '&',
      );
      const response = await send(operation, { ...example, query });
      assert.equal(response.status, 200, operation.id);
      assert.doesNotMatch(await response.text(), new RegExp(MARK), operation.id);
      for (const cursor of cursors.get(operation.path) ?? []) {
        const page = await send(operation, {
          query: new URLSearchParams({ 'page[after]': cursor }).toString(),
        });
        assert.equal(page.status, 200);
        const text = await page.text();
        assert.doesNotMatch(text, new RegExp(MARK));
        for (const { id } of JSON.parse(text).data) assert.ok(ownIds.has(id), `${operation.id} shows ${id}`);
      }
    }
    assert.ok([...cursors.values()].every((found) => found.length > 0) && cursors.size > 0);
  });

  it("rejects request bodies that refer to another tenant's resources", async () => {
    let linkages = 0;
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      const { id, body } = exampleOf(operation);
      const data = body?.data;
      assert.ok(typeof data === 'object' && data !== null && 'type' in data);
      const resourcesOfType = resources.filter(
        ({ type, relationships }) => type === data.type && relationships !== undefined,
      );
      for (const [name, linked] of resourcesOfType.flatMap(({ relationships }) =>
        Object.entries(relationships),
      )) {
        for (const { type, id: foreign } of [linked.data]
          .flat()
          .filter((identifier) => identifier !== undefined)) {
          const value = { foreign, unknown: randomUUID() };
          let status = 0;
          await assertUnknown(`${operation.id} with ${name}`, [value], async (sent) => {
            const to = { type, id: sent };
            const relationships = { [name]: { data: Array.isArray(linked.data) ? [to] : to } };
            const changed = { data: { ...data, relationships } };
            const response = await send(operation, { ...(id !== undefined && { id }), body: changed });
            status = response.status;
            return response;
          });
          assert.ok(status >= 400 && status < 500, `${operation.id} with ${name}: ${status}`);
          linkages++;
        }
      }
    }
    assert.ok(linkages >= 3, `${linkages} linkages`);
  });

  it('allows names, accounts and Idempotency-Keys that another tenant uses', async () => {
    const { client } = other;
    const names = texts.map(({ foreign }) => foreign).filter((text) => text.length <= 60);
    assert.ok(names.includes(`${MARK} role`) && names.includes(`${MARK}@example.com`));
    for (const name of names) {
      const role = await client.document('POST', '/roles', {
        type: 'roles',
        attributes: { name, permissions: [] },
      });
      assert.equal(role.status, 201, name);
    }
    for (const email of names.filter((text) => text.includes('@') && !text.includes(' '))) {
      const user = await client.document('POST', '/users', { type: 'users', attributes: { email } });
      assert.equal(user.status, 201, JSON.stringify(user.body));
    }
    const [sameFile, otherFile] = [marked.files[0], new Uint8Array(Buffer.from('[{}]'))];
    for (const [at, file] of [sameFile, otherFile].entries()) {
      const headers = { 'idempotency-key': IDEMPOTENCY_KEYS[at] ?? '' };
      const response = await client.upload(file, { headers });
      assert.equal(response.status, 202);
      assert.equal(response.headers.get('idempotency-replayed'), null);
      assert.ok(!ids.some(({ foreign }) => foreign === response.body.data.id));
    }
  });

  it("leaves another tenant's rows unchanged in all isolation tests", async () => {
    assert.deepEqual(await rowsOf(service, marked.id), rowsBefore);
  });
});

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
