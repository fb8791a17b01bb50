import assert from 'node:assert/strict';
import { z } from 'zod';
import { type ApiDocument, type Client, DOCUMENT_TYPE } from './client.ts';
import type { Operation, Parameter } from './openapi-description.ts';
import { DRY_RUNS } from './openapi-examples.ts';
import type { TenantService } from './service.ts';

const API = '/api/v1';
/** Resources of each type that are read by ID. */
const PER_TYPE = 3;

/** Values of parameters without a list of values or a format, by the name in brackets. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  days: ['1', '400'],
  hours: ['48'],
  account: ['acc-1', 'unknown'],
  action: ['role.created'],
  alias: ['Main'],
  category: ['encryption'],
  check_id: ['check_a'],
  code: ['missing_field', 'invalid_type'],
  email: ['SECOND@example.com', 'admin@localhost'],
  label: ['team=a'],
  product: ['Cloud scanner'],
  provider_type: ['aws'],
  region: ['us-east-1', ''],
  resource_type: ['Bucket'],
  resource_uid: ['arn:3:R', ''],
  search: ['e', 'us-east check_a', 'in_no_text', '%'],
  service: ['s3'],
  target_id: ['none'],
  target_type: ['roles'],
  type: ['aws', 'Bucket'],
  uid: ['finding-3', 'scan-1'],
};
/** A day on which findings of `seedFindings` were seen. */
const DATE = '2026-03-10';
/** The list with the IDs of a filter. */
function listOf(filter: string): string {
  return filter.endsWith('_in') ? '/scans' : `/${filter}s`;
}

/** Pages in the middle of a list. */
const MIDDLE = ['page[number]=2&page[size]=7', 'page[position]=0.6&page[size]=7'];

const schemaOf = z.object({
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  items: z.object({ enum: z.array(z.string()).optional(), format: z.string().optional() }).optional(),
});

/**
 * Returns the paths of reads of each resource type, with each parameter and some or all of its values. Every sort order
 * is combined with a page in the middle of the list and with a filter.
 */
export async function everyRead(
  operations: readonly Operation[],
  client: Client,
): Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  const idsIn: FindIds = async (list) => {
    const ids = known.get(list) ?? (await readIds(client, list));
    known.set(list, ids);
    return ids;
  };
  const paths: string[] = [];
  for (const { method, path, parameters } of operations) {
    if (method !== 'GET') continue;
    const [list = '', rest] = path.slice(API.length).replace('{record_index}', '0').split('/{id}');
    const [first = '', ...others] =
      rest === undefined
        ? [list]
        : (await idsIn(rest === '/dry-run' ? DRY_RUNS : list)).map((id) => `${list}/${id}${rest}`);
    const queries = await queriesOf(parameters, idsIn);
    paths.push(...queries.map((query) => `${first}?${query}`), ...others);
  }
  return paths;
}

/**
 * Returns the body of each response by path, or the status of a response with an error. Documents are parsed; they do
 * not depend on the URL of the service, nor on the order of included resources.
 */
export async function readAll(
  { url }: Pick<TenantService, 'url'>,
  key: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const bodies = new Map<string, unknown>();
  const read = async (queue: readonly string[]) => {
    for (const path of queue) {
      const response = await fetch(`${url}${API}${path}`, { headers: { authorization: `Api-Key ${key}` } });
      const text = (await response.text()).replaceAll(url, '');
      const isDocument = response.headers.get('content-type')?.startsWith(DOCUMENT_TYPE) === true;
      bodies.set(path, !response.ok ? response.status : isDocument ? sortIncluded(JSON.parse(text)) : text);
    }
  };
  // A tenant has at most one export at a time.
  const [exports = [], others = []] = [true, false].map((isExport) =>
    paths.filter((path) => path.startsWith('/findings/export') === isExport),
  );
  const middle = Math.ceil(others.length / 2);
  await Promise.all([read(exports), read(others.slice(0, middle)), read(others.slice(middle))]);
  return bodies;
}

function sortIncluded(document: ApiDocument<unknown>): unknown {
  const { included = [], ...rest } = document;
  return [rest, included.toSorted((one, other) => (one.id < other.id ? -1 : 1))];
}

async function readIds(client: Client, list: string): Promise<readonly string[]> {
  // Deliveries are listed by webhook.
  const [webhook] = list === '/webhook-deliveries' ? await readIds(client, '/webhooks') : [];
  const path = webhook === undefined ? list : `/webhooks/${webhook}/deliveries`;
  const { status, body } = await client.get<readonly { readonly id: string }[]>(
    `${path}${path.includes('?') ? '&' : '?'}page[size]=${PER_TYPE}`,
  );
  assert.equal(status, 200, `${list}: ${JSON.stringify(body)}`);
  assert.notEqual(body.data.length, 0, `${list} is empty`);
  return body.data.map(({ id }) => id);
}

type FindIds = (list: string) => Promise<readonly string[]>;

async function queriesOf(parameters: readonly Parameter[], idsIn: FindIds): Promise<readonly string[]> {
  const queried = parameters.filter(({ in: place }) => place === 'query');
  const required = queried.find((parameter) => parameter.required);
  const values = new Map<string, readonly string[]>();
  for (const parameter of queried)
    if (!/^page/.test(parameter.name)) values.set(parameter.name, await valuesOf(parameter, idsIn));
  const places = MIDDLE.filter((query) => queried.some(({ name }) => query.startsWith(`${name}=`)));
  const [filter = ''] = [...values].flatMap(([name, [value]]) =>
    name.startsWith('filter') ? `${name}=${value}` : [],
  );
  const sorted = (others: readonly string[]) =>
    (values.get('sort') ?? []).flatMap((sort) => others.map((other) => `sort=${sort}&${other}`));
  const queries = ['', ...places, ...sorted([...places, filter])];
  for (const [name, given] of values)
    if (name !== required?.name)
      queries.push(...given.map((value) => `${name}=${encodeURIComponent(value)}`));
  if (required === undefined) return queries;
  const [first, ...others] = values.get(required.name) ?? [];
  return [
    ...queries.map((query) => `${required.name}=${first}&${query}`),
    ...others.flatMap((value) => [filter, ...places].map((query) => `${required.name}=${value}&${query}`)),
  ];
}

async function valuesOf({ name, schema, required }: Parameter, idsIn: FindIds): Promise<readonly string[]> {
  const { items, ...itself } = schemaOf.parse(schema);
  const { enum: listed, format } = items ?? itself;
  const isList = items !== undefined;
  if (listed !== undefined) {
    const several = isList ? [listed.slice(0, 3).join(',')] : [];
    if (required || name === 'sort') return [...listed, ...several];
    return name.startsWith('fields') ? several : [...listed.slice(-1), ...several];
  }
  if (format === 'date') return [DATE];
  const key = /\[(\w+)\]/.exec(name)?.[1]?.replace(/__\w+$/, '') ?? name;
  const values = format === 'uuid' ? (await idsIn(listOf(key))).slice(0, 1) : TEXTS[key];
  assert.ok(values !== undefined, `there are no values for ${name}`);
  return isList ? [values.filter((value) => value !== '').join(',')] : values;
}
