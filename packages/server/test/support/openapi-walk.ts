import { randomUUID } from 'node:crypto';
import { createClient, DOCUMENT_TYPE } from './client.ts';
import type { Conformance } from './openapi-conformance.ts';
import type { Operation, Parameter } from './openapi-description.ts';
import { EXAMPLES, type Example, type ExampleSource, idIn, pathFor } from './openapi-examples.ts';
import type { TenantService } from './service.ts';

export interface RequestOptions {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Sends requests to all operations and asserts that the OpenAPI description covers each response. */
export function createWalk({ url, key }: TenantService, { assertResponse }: Conformance) {
  /** Sends an example and asserts that the OpenAPI description covers the response. */
  const send = async (
    operation: Operation,
    example: Example,
    label: string,
    { key: as = key, headers = {}, text }: RequestOptions = {},
  ) => {
    const path = pathFor(operation.path, example);
    const body = text ?? (example.body === undefined ? example.form : JSON.stringify(example.body));
    const response = await fetch(`${url}${path}?${example.query ?? ''}`, {
      method: operation.method,
      headers: {
        ...(as !== '' && { authorization: `Api-Key ${as}` }),
        ...(example.body !== undefined && { 'content-type': DOCUMENT_TYPE }),
        'accept-encoding': 'identity',
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, document: await assertResponse(operation, label, response) };
  };

  const client = createClient(url, key);
  const source: ExampleSource = {
    first: async (list) => idIn((await client.get(list)).body),
    made: async (list, { data }) => idIn((await client.document('POST', list, data)).body),
  };

  return {
    send,
    /** Returns the example of an operation. Throws if the operation has no example. */
    exampleOf: async ({ id }: Operation): Promise<Example> => {
      const make = Object.hasOwn(EXAMPLES, id) ? EXAMPLES[id] : undefined;
      if (make === undefined)
        throw new Error(`the operation ${id} has no example; add one to support/openapi-examples.ts`);
      return await make(source);
    },
  };
}

/** The same request for a nonexistent resource. */
export function elsewhere({ id = '', ...example }: Example): Example {
  const other = randomUUID();
  if (example.body === undefined) return { ...example, id: other };
  return { ...example, id: other, body: JSON.parse(JSON.stringify(example.body).replaceAll(id, other)) };
}

/** Returns a value that the schema of a query parameter allows. */
export function valueFor({ name, schema }: Parameter): string {
  const { items, type, format } = schema;
  const choices = [schema.enum, schema.examples].flatMap((values) => (Array.isArray(values) ? values : []));
  if (isMembers(items)) {
    if (Array.isArray(items.enum)) return items.enum.join(',');
    return valueFor({ in: 'query', name, required: false, schema: items });
  }
  if (choices.length > 0) return String(choices[0]);
  if (format === 'uuid') return randomUUID();
  if (format === 'date') return '2026-01-31';
  if (format === 'date-time') return '2026-01-31T12:00:00Z';
  if (type === 'integer') return '1';
  if (type === 'number') return '0.5';
  if (type === 'boolean') return 'true';
  if (name === 'page[after]') return '';
  return 'aws';
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
