import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Operation } from './openapi-description.ts';

/** Headers that need no description, because they are part of HTTP or of every response. */
const COMMON_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'permissions-policy',
  'referrer-policy',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
]);

export interface Conformance {
  /** Asserts that the operation describes this response: status, media type, headers and body. */
  readonly assertResponse: (operation: Operation, label: string, response: Response) => Promise<unknown>;
  /** Asserts that the value matches the schema at this pointer of the description. */
  readonly assertValid: (schema: string, value: unknown, label: string) => void;
}

/** Validates responses only against the description, using JSON Schema 2020-12 with formats. */
export function createConformance(description: unknown): Conformance {
  assert.ok(typeof description === 'object' && description !== null);
  // Strict mode is off, because OpenAPI adds keywords and the format `binary` to JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { binary: true } });
  addFormats.default(ajv);
  ajv.addSchema(description, 'api.json');

  const assertValid: Conformance['assertValid'] = (schema, value, label) => {
    const uri = `api.json#${schema.split('/').map(encodeURIComponent).join('/')}`;
    const validate = ajv.getSchema(uri);
    assert.ok(validate !== undefined, `there is no schema ${uri}`);
    const faults = validate(value) === true ? '' : ajv.errorsText(validate.errors, { separator: '\n' });
    assert.equal(faults, '', `${label}: ${JSON.stringify(value, undefined, 1).slice(0, 3000)}`);
  };

  const assertResponse: Conformance['assertResponse'] = async ({ id, responses }, request, response) => {
    const label = `${id} ${request}: ${response.status}`;
    const described = responses.get(response.status);
    const text = await response.text();
    assert.ok(described !== undefined, `${label} is not described: ${text.slice(0, 1000)}`);
    for (const [name, required] of described.headers)
      assert.ok(!required || response.headers.has(name), `${label} lacks the header ${name}`);
    for (const name of response.headers.keys())
      assert.ok(
        COMMON_HEADERS.has(name) || described.headers.has(name),
        `${label} has a header that is not described: ${name}: ${response.headers.get(name)}`,
      );
    const type = response.headers.get('content-type');
    if (described.content.size === 0) {
      assert.deepEqual([text, type], ['', null], `${label} has a body, but none is described`);
      return undefined;
    }
    const content = described.content.get(type ?? '');
    assert.ok(content !== undefined, `${label} has a media type that is not described: ${type}`);
    const body: unknown = type?.startsWith('text/') === true ? text : JSON.parse(text);
    assertValid(content.schema, body, label);
    return body;
  };
  return { assertResponse, assertValid };
}
