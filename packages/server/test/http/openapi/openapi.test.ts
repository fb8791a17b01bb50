import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, DOCUMENT_TYPE } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { type Conformance, createConformance } from '../../support/openapi-conformance.ts';
import { type Operation, readOperations } from '../../support/openapi-description.ts';
import { EXAMPLES, ingestExamples } from '../../support/openapi-examples.ts';
import { createWalk, elsewhere, valueFor } from '../../support/openapi-walk.ts';
import { createKey, createUser } from '../../support/operator.ts';

/** DELETE requests run last. */
const ORDER = ['GET', 'POST', 'PATCH', 'DELETE'];

describe('OpenAPI description', () => {
  let service: SharedService;
  let description: unknown;
  let operations: readonly Operation[];
  let conformance: Conformance;
  let walk: ReturnType<typeof createWalk>;
  /** The key of a user without permissions. */
  let keyWithoutPermissions: string;
  before(async () => {
    service = await joinService();
    const client = createClient(service.url, service.key);
    await ingestExamples(client);
    await createUser(service, service.tenantId, 'nobody@example.com', '');
    keyWithoutPermissions = await createKey(service, service.tenantId, 'nobody@example.com');

    const response = await fetch(`${service.url}/api/v1/openapi.json`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/json']);
    description = await response.json();
    operations = [...readOperations(description)].sort(
      (a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method),
    );
    conformance = createConformance(description);
    walk = createWalk(service, conformance);
  });
  after(() => service.leave());

  it('contains the service URL, and gives every API operation a unique ID', async () => {
    assert.ok(typeof description === 'object' && description !== null && 'servers' in description);
    assert.deepEqual(description.servers, [{ url: service.url }]);
    const ids = operations.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('contains only OpenAPI response examples that match their schemas', () => {
    let examples = 0;
    for (const { id, responses } of operations) {
      for (const [status, { content }] of responses) {
        for (const { schema, example } of content.values()) {
          if (example === undefined) continue;
          conformance.assertValid(schema, example, `the example for ${id} ${status}`);
          examples++;
        }
      }
    }
    assert.ok(examples > operations.length);
  });

  it('contains no OpenAPI response schema that accepts an invalid document', () => {
    for (const { id, responses } of operations) {
      for (const [status, { content }] of responses) {
        const schema = content.get(DOCUMENT_TYPE)?.schema;
        if (schema === undefined) continue;
        for (const invalid of [null, {}, { data: null }, { data: {}, errors: [], meta: { version: 'v1' } }])
          assert.throws(() => conformance.assertValid(schema, invalid, id), `${id} ${status}`);
      }
    }
  });

  it('uses only OpenAPI patterns that client generators for all languages support', () => {
    const patterns = [...JSON.stringify(description).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    assert.ok(patterns.length > 5);
    for (const [, text = '""'] of patterns) {
      const pattern: string = JSON.parse(text);
      assert.doesNotMatch(pattern, /\\[pPuk]|\(\?(?!:)/, pattern);
    }
  });

  it('has conformance tests for exactly the operations in the OpenAPI description', () => {
    assert.deepEqual(Object.keys(EXAMPLES).sort(), operations.map(({ id }) => id).sort());
  });

  it('conforms to the OpenAPI description for every operation', async (t) => {
    for (const operation of operations) {
      await t.test(operation.id, async () => {
        const example = await walk.exampleOf(operation);
        if (operation.body !== undefined)
          conformance.assertValid(operation.body, example.body, `the example for ${operation.id}`);
        const refused = async (status: number, ...[request, label, options]: SendRest) =>
          assert.equal((await walk.send(operation, request, label, options)).status, status, label);

        await refused(400, { ...example, query: 'nonsense=1' }, 'with an unknown parameter');
        await refused(401, example, 'without a key', { key: '' });
        const accept = `${DOCUMENT_TYPE}; charset=utf-8`;
        await refused(406, example, 'with an unsupported Accept header', { headers: { accept } });
        if (example.id !== undefined) await refused(404, elsewhere(example), 'with an unknown ID');
        if (operation.responses.has(403)) {
          // A resource that every key can read may include resources that require a permission.
          const include = operation.parameters.find(({ name }) => name === 'include');
          const query = include === undefined ? '' : `include=${valueFor(include)}`;
          await refused(403, { ...example, query }, 'without the permission', { key: keyWithoutPermissions });
        }
        if (example.body !== undefined) {
          for (const invalid of [null, true, 0, 'text', [], {}, { data: null }, { data: [example.body] }]) {
            assert.throws(() => conformance.assertValid(operation.body ?? '', invalid, operation.id));
            const text = JSON.stringify(invalid);
            await refused(400, example, `with the document ${text}`, { text });
          }
          await refused(400, example, 'with malformed JSON', { text: '{"data":' });
          const unknown = JSON.parse(JSON.stringify(example.body));
          unknown.data.attributes.nonsense = 1;
          await refused(400, { ...example, body: unknown }, 'with an unknown attribute');
          const type = { 'content-type': 'application/json' };
          await refused(415, example, 'with an unsupported media type', { headers: type });
          await refused(413, example, 'with a large document', { text: ' '.repeat(100_000) });
          const other = { data: { ...unknown.data, type: 'nonsense' } };
          await refused(409, { ...example, body: other }, 'with another resource type');
        }

        const { status } = await walk.send(operation, example, 'with a valid request');
        assert.ok(status < 300, `the example returned ${status}`);
        if (operation.method !== 'GET') return;
        for (const parameter of operation.parameters) {
          if (parameter.in !== 'query') continue;
          const query = new URLSearchParams(example.query);
          query.set(parameter.name, example.values?.[parameter.name] ?? valueFor(parameter));
          await refused(200, { ...example, query: String(query) }, `with ${query}`);
        }
      });
    }
  });

  it('conforms to the OpenAPI description for a tenant without a subscription', async () => {
    await service.sluiceJson('subscription', 'set', '--tenant', service.tenantId, 'none');
    const withSubscription = operations.filter(({ responses }) => responses.has(402));
    assert.ok(withSubscription.length > 0);
    for (const operation of operations) {
      if (operation.method !== 'GET' && !withSubscription.includes(operation)) continue;
      const id = operation.path.includes('{id}') ? { id: '0198a000-0000-7000-8000-000000000001' } : {};
      const { status } = await walk.send(operation, id, 'without a subscription');
      assert.equal(status === 402, withSubscription.includes(operation), `${operation.id}: ${status}`);
    }
    await service.sluiceJson('subscription', 'set', '--tenant', service.tenantId, 'active');
  });
});

type SendRest = [
  request: Parameters<ReturnType<typeof createWalk>['send']>[1],
  label: string,
  options?: Parameters<ReturnType<typeof createWalk>['send']>[3],
];
