import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { created, PERMISSIONS, postRole, postUser } from '../../support/access-resources.ts';
import { type Client, createClient, DOCUMENT_TYPE } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { deleteWebhooks, makeWebhook } from '../../support/webhook-receiver.ts';

const OBJECT = 'The value must be an object';
const MISSING = 'The member is missing.';
const ANY_PERMISSION = `Valid values are ${PERMISSIONS.map((name) => `'${name}'`).join(', ')}.`;
const ONE_LINE = 'Use 1 to 100 characters, at least one of them visible, without control characters.';
const EVENTS =
  "Valid values are 'ingestion.completed', 'ingestion.failed', 'scan.changed', 'provider.created'.";
const TIME = 'Use a time with a UTC offset, such as 2030-01-31T12:00:00Z.';

/** Attributes of a document, the location of its error, and the detail. */
type InvalidAttributes = readonly [attributes: unknown, pointer: string, detail: string];

interface Target {
  readonly type: string;
  readonly method: 'POST' | 'PATCH';
  /** With `ID` for the id of a resource of this type. */
  readonly path: string;
  /** Whether the document has the id. */
  readonly hasId?: boolean;
  /** Attributes without an error. */
  readonly valid: object;
  readonly invalid: readonly InvalidAttributes[];
}

const webhook = { url: 'https://example.com/', events: ['scan.changed'] };
const webhookValues: readonly InvalidAttributes[] = [
  [{ ...webhook, events: [] }, '/events', 'The list is empty. Add at least one value.'],
  [{ ...webhook, events: 'scan.changed' }, '/events', 'The value must be an array, not a string.'],
  [{ ...webhook, events: ['scan'] }, '/events/0', `'scan' is not valid. ${EVENTS}`],
  [{ ...webhook, events: [null] }, '/events/0', `The value is not valid. ${EVENTS}`],
  [{ ...webhook, events: ['s'.repeat(101)] }, '/events/0', `The value is not valid. ${EVENTS}`],
  [{ ...webhook, provider_ids: [] }, '/provider_ids', 'The list is empty. Add at least one value.'],
  [{ ...webhook, provider_ids: ['a'] }, '/provider_ids/0', "'a' is not a UUID. Use the ID of a resource."],
  [
    { ...webhook, provider_ids: Array(101).fill('01a217b2-7a4b-7d0f-9d5c-5d1c0f3c3d6a') },
    '/provider_ids',
    'The list has more than 100 values. Use fewer values.',
  ],
  [
    { ...webhook, url: `https://example.com/${'a'.repeat(2048)}` },
    '/url',
    'The value is longer than 2,048 characters. Use a shorter one.',
  ],
  [{ ...webhook, url: 1 }, '/url', 'The value must be a string, not a number.'],
  [
    { ...webhook, severities: ['worst'] },
    '/severities/0',
    "'worst' is not valid. Valid values are 'unknown', 'informational', 'low', 'medium', 'high', 'critical', 'fatal', 'other'.",
  ],
];

const roleValues: readonly InvalidAttributes[] = [
  [{ name: '', permissions: [] }, '/name', ONE_LINE],
  [{ name: 1, permissions: [] }, '/name', 'The value must be a string, not a number.'],
  [{ name: 'a', permissions: {} }, '/permissions', 'The value must be an array, not an object.'],
  [{ name: 'a', permissions: ['all'] }, '/permissions/0', `'all' is not valid. ${ANY_PERMISSION}`],
  [
    { name: 'a', permissions: [], user: true },
    '/user',
    "Unknown member 'user'. Valid members are 'name', 'permissions'.",
  ],
];

const emailValues: readonly InvalidAttributes[] = [
  [{ email: 'a@b' }, '/email', "'a@b' is not an email address. Use an address such as name@example.com."],
  [{ email: true }, '/email', 'The value must be a string, not a boolean.'],
  [
    { email: `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(70)}.com` },
    '/email',
    'The value is longer than 254 characters. Use a shorter one.',
  ],
];

const TARGETS: readonly Target[] = [
  {
    type: 'webhooks',
    method: 'POST',
    path: '/webhooks',
    valid: webhook,
    invalid: [
      ...webhookValues,
      [{}, '/url', `${MISSING} Set it to a string.`],
      [{ url: 'https://example.com/' }, '/events', `${MISSING} Set it to an array.`],
      [
        { ...webhook, format: 'teams' },
        '/format',
        "'teams' is not valid. Valid values are 'standard', 'slack'.",
      ],
      [
        { ...webhook, format: null },
        '/format',
        "The value is not valid. Valid values are 'standard', 'slack'.",
      ],
    ],
  },
  {
    type: 'webhooks',
    method: 'PATCH',
    path: '/webhooks/ID',
    valid: {},
    hasId: true,
    invalid: [
      ...webhookValues,
      [{ enabled: 'no' }, '/enabled', 'The value must be a boolean, not a string.'],
      [
        { format: 'slack' },
        '/format',
        "Unknown member 'format'. Valid members are 'url', 'description', 'events', 'provider_ids', 'severities', 'enabled'.",
      ],
    ],
  },
  {
    type: 'roles',
    method: 'POST',
    path: '/roles',
    valid: { name: 'Role', permissions: [] },
    invalid: [...roleValues, [{}, '/name', `${MISSING} Set it to a string.`]],
  },
  { type: 'roles', method: 'PATCH', path: '/roles/ID', valid: {}, hasId: true, invalid: roleValues },
  {
    type: 'users',
    method: 'POST',
    path: '/users',
    valid: { email: 'a@example.com' },
    invalid: [...emailValues, [{}, '/email', `${MISSING} Set it to a string.`]],
  },
  { type: 'users', method: 'PATCH', path: '/users/ID', valid: {}, hasId: true, invalid: emailValues },
  {
    type: 'api-keys',
    method: 'POST',
    path: '/api-keys',
    valid: { name: 'Key' },
    invalid: [
      [{}, '/name', `${MISSING} Set it to a string.`],
      [{ name: null }, '/name', 'The value must be a string, not null.'],
      [{ name: 'a', permissions: ['x'] }, '/permissions/0', `'x' is not valid. ${ANY_PERMISSION}`],
      [{ name: 'a', expires_at: 'soon' }, '/expires_at', `'soon' is not a valid time. ${TIME}`],
      [
        { name: 'a', expires_at: '2127-01-01T00:00:00' },
        '/expires_at',
        `'2127-01-01T00:00:00' is not a valid time. ${TIME}`,
      ],
      [{ name: 'a', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at', 'Use a time in the future.'],
      [
        { name: 'a', expires_at: '9999-12-31T23:59:59-23:00' },
        '/expires_at',
        'Use a time before the year 10000.',
      ],
    ],
  },
  {
    type: 'providers',
    method: 'PATCH',
    path: '/providers/ID',
    valid: { alias: null },
    hasId: true,
    invalid: [
      [{ alias: 1 }, '/alias', 'The value must be a string, not a number.'],
      [{ alias: '' }, '/alias', ONE_LINE],
      [{ name: 'a' }, '/name', "Unknown member 'name'. The only valid member is 'alias'."],
    ],
  },
  {
    type: 'providers',
    method: 'POST',
    path: '/providers/ID/resolve',
    valid: { product: 'Old' },
    hasId: true,
    invalid: [
      [{}, '/product', `${MISSING} Set it to a string.`],
      [{ product: ['a'] }, '/product', 'The value must be a string, not an array.'],
    ],
  },
  {
    type: 'ingestions',
    method: 'POST',
    path: '/ingestions/ID/retry',
    valid: {},
    invalid: [
      [{ provider: 1 }, '/provider', 'The value must be a string, not a number.'],
      [{ provider: '' }, '/provider', 'The value is blank. Send a value or omit the field.'],
      [{ account: 'a'.repeat(513) }, '/account', 'The value is longer than 512 characters.'],
      [
        { coverage: 'account' },
        '/coverage',
        "Unknown member 'coverage'. Valid members are 'provider', 'account'.",
      ],
    ],
  },
];

describe('an invalid request document', () => {
  let service: SharedService;
  let client: Client;
  /** By resource type. */
  let ids: ReadonlyMap<string, string>;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    const { id: ingestions } = await client.ingest([record()]);
    const { body } = await client.get<readonly { id: string }[]>('/providers');
    const role = created(await postRole(client, 'Invalid documents', []));
    const user = created(await postUser(client, 'documents@example.com', []));
    const { id: webhooks } = await makeWebhook(client, webhook);
    ids = new Map(
      Object.entries({
        ingestions,
        providers: body.data[0]?.id ?? '',
        roles: role.id,
        users: user.id,
        webhooks,
      }),
    );
  });
  after(async () => {
    await deleteWebhooks(client);
    await service.leave();
  });

  /** Sends a document, and returns the status, the pointer and the detail of the response. */
  const send = async ({ method, path, type }: Target, document: unknown) => {
    const { status, body } = await client.send(path.replace('ID', ids.get(type) ?? ''), {
      method,
      body: JSON.stringify(document),
      headers: { 'content-type': DOCUMENT_TYPE },
    });
    const [error] = body.errors ?? [];
    return [status, error?.source?.pointer, error?.detail];
  };

  for (const target of TARGETS) {
    const { type, method, path, hasId = false, valid, invalid } = target;
    const other = type === 'users' ? 'roles' : 'users';
    const resource = (members: object) => ({ type, ...(hasId && { id: ids.get(type) }), ...members });

    it(`of ${method} ${path} gets a detail that explains how to correct its structure`, async () => {
      for (const [document, status, pointer, detail] of [
        [{}, 400, '/data', `${MISSING} Set it to an object.`],
        [null, 400, '', `${OBJECT}, not null.`],
        [[], 400, '', `${OBJECT}, not an array.`],
        [{ data: 'a' }, 400, '/data', `${OBJECT}, not a string.`],
        [{ data: {} }, 400, '/data/type', `${MISSING} Set it to '${type}'.`],
        [{ data: resource({ type: other }) }, 409, '/data/type', `'${other}' is not valid. Use '${type}'.`],
        [{ data: resource({ attributes: 1 }) }, 400, '/data/attributes', `${OBJECT}, not a number.`],
      ] as const)
        assert.deepEqual(await send(target, document), [status, pointer, detail], JSON.stringify(document));
      const id = '0198a000-0000-7000-8000-000000000000';
      const [members, expected] = hasId
        ? [{}, [400, '/data/id', `${MISSING} Set it to a string.`]]
        : [{ id, attributes: valid }, [409, '/data/id', 'This document must not have an ID. Remove it.']];
      assert.deepEqual(await send(target, { data: { type, ...members } }), expected);
    });

    it(`of ${method} ${path} gets a detail that explains how to correct its attributes`, async () => {
      for (const [attributes, pointer, detail] of invalid)
        assert.deepEqual(
          await send(target, { data: resource({ attributes }) }),
          [400, `/data/attributes${pointer}`, detail],
          JSON.stringify(attributes),
        );
    });
  }
});
