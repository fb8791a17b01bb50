import assert from 'node:assert/strict';
import pLimit from 'p-limit';
import type { ApiResponse, Client, Resource } from './client.ts';
import { MARK, UNMARKED } from './marked-tenant.ts';
import type { Operation } from './openapi-description.ts';

/** A value in a request that belongs to another tenant, and a similar value that does not exist. */
export interface ForeignValue {
  readonly foreign: string;
  readonly unknown: string;
}

/** A request that contains the value. */
export type SendWith = (value: string) => Promise<Response>;

/**
 * A response as seen by the client, without the parts that differ between any two requests and without the sent
 * value.
 */
async function clientView(
  response: Response,
  sent: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const id = response.headers.get('x-request-id') ?? '';
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  let text = `${JSON.stringify(headers.sort())}\n${await response.text()}`;
  for (const form of [sent, encodeURIComponent(sent), new URLSearchParams({ '': sent }).toString().slice(1)])
    text = text.replaceAll(form, '{sent}');
  return { status: response.status, text: text.replaceAll(id, '{request}') };
}

/** As many requests as there are read slots of a tenant: on a busy machine, others would be rejected. */
const limit = pLimit(4);

/**
 * Asserts that the response to each value of another tenant is identical, byte for byte, to the response to a
 * nonexistent value, contains none of the owner's data, and has the given status, if any.
 */
export async function assertUnknown(
  label: string,
  values: readonly ForeignValue[],
  send: SendWith,
  status?: number,
): Promise<void> {
  const unknownResponses = new Map<string, ReturnType<typeof clientView>>();
  const view = (value: string) => limit(async () => await clientView(await send(value), value));
  await Promise.all(
    values.map(async ({ foreign, unknown }) => {
      const expected = unknownResponses.get(unknown) ?? view(unknown);
      unknownResponses.set(unknown, expected);
      const response = await view(foreign);
      assert.doesNotMatch(response.text, new RegExp(MARK), `${label} ${foreign}`);
      assert.deepEqual(response, await expected, `${label} ${foreign}`);
      if (status !== undefined) assert.equal(response.status, status, `${label} ${foreign}`);
    }),
  );
}

/** Returns all distinct resources in the lists of a tenant, and the cursors of the pages. */
export async function readLists(
  client: Client,
  operations: readonly Operation[],
): Promise<{
  readonly resources: readonly Resource[];
  readonly cursors: ReadonlyMap<string, readonly string[]>;
}> {
  const resources: Resource[] = [];
  const cursors = new Map<string, string[]>();
  const readList = async (path: string, query = '') => {
    const { body }: ApiResponse<readonly Resource[]> = await client.get(`${path}?page[size]=1000${query}`);
    resources.push(...body.data);
    return body.data;
  };
  for (const { path, parameters } of operations.filter(isList)) {
    const list = path.replace('/api/v1', '');
    if (list.includes('{id}')) {
      const of = list.split('/{id}')[0] ?? '';
      for (const { id } of await readList(of)) await readList(list.replace('{id}', id));
      continue;
    }
    for (const query of requiredQueries(parameters)) await readList(list, query);
    if (!parameters.some(({ name }) => name === 'page[after]')) continue;
    const values: string[] = [];
    for (let next: string | null = `${list}?page[size]=1&page[after]=`; next !== null; ) {
      const page: ApiResponse<readonly Resource[]> = await client.get(next);
      const link: string | null = page.body.links.next ?? null;
      if (link !== null) values.push(new URL(link).searchParams.get('page[after]') ?? '');
      next = link === null ? null : link.replace(/^.*\/api\/v1/, '');
    }
    cursors.set(path, values);
  }
  return { resources, cursors };
}

/** Query strings with each value of the required parameter of an operation; an empty one if it has none. */
function requiredQueries(parameters: Operation['parameters']): readonly string[] {
  const required = parameters.find((parameter) => parameter.in === 'query' && parameter.required);
  if (required === undefined) return [''];
  const { enum: values } = required.schema;
  if (!Array.isArray(values)) throw new TypeError(`the parameter ${required.name} has no list of values`);
  return values.map((value) => `&${required.name}=${value}`);
}

function isList({ method, parameters }: Operation): boolean {
  return method === 'GET' && parameters.some(({ name }) => name === 'page[size]');
}

/** Returns every marked string in a value, each with a similar nonexistent string. */
export function markedTexts(value: unknown): readonly ForeignValue[] {
  const values = new Set<string>();
  JSON.parse(JSON.stringify(value), (_, member: unknown) => {
    if (typeof member === 'string' && member.includes(MARK) && !member.startsWith('http')) values.add(member);
    return member;
  });
  return [...values].map((foreign) => ({ foreign, unknown: foreign.replaceAll(MARK, UNMARKED) }));
}
