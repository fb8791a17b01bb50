import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { assertDescribed } from '../../../src/http/endpoints/assert-described.ts';

const schema = z.strictObject({ data: z.strictObject({ id: z.string() }) });
const endpoint = {
  operationId: 'getItem',
  responses: { 200: { description: 'The item.', schema }, 204: { description: 'Nothing.' } },
};

it('accepts responses that match the description of their status', () => {
  assertDescribed(endpoint, 200, { data: { id: 'a' } });
  assertDescribed(endpoint, 204, undefined);
});

for (const [title, status, document, message] of [
  ['a status that is not described', 201, { data: { id: 'a' } }, /does not describe .* status 201/],
  ['a missing document', 200, undefined, /must return a document with status 200/],
  ['a document that is not described', 204, { data: { id: 'a' } }, /must not return a document/],
  ['a value of another type', 200, { data: { id: null } }, /getItem .* status 200 .* data\.id/s],
  ['an unknown member', 200, { data: { id: 'a', name: 'A' } }, /name/],
] as const)
  it(`rejects ${title}`, () => assert.throws(() => assertDescribed(endpoint, status, document), message));
