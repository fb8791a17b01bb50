import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBodies } from './support/read-bodies.ts';
import { readValue } from './support/read-value.ts';

test('reads session rule fields and returns null for missing or mistyped fields', async (context) => {
  const policies = readValue(
    await readBodies(context, 'sessionPolicies', {
      '/api/v1/policies?': [{ id: 'pol1', priority: '1' }],
      '/api/v1/policies/pol1/rules': [
        {
          id: 'rul1',
          name: 'Strict',
          priority: 1,
          status: 'ACTIVE',
          system: false,
          actions: {
            signon: {
              access: 'ALLOW',
              session: {
                maxSessionIdleMinutes: 15,
                maxSessionLifetimeMinutes: '1080',
                usePersistentCookie: false,
              },
            },
          },
          conditions: { network: { connection: 'ZONE', include: ['nzo1', null, 7], exclude: 'nzo2' } },
        },
        { id: 'rul2', actions: { signon: null }, conditions: 'none' },
      ],
    }),
  );
  const none = { connection: null, include: [], exclude: [] };
  const policy = policies[0] ?? assert.fail();
  assert.deepEqual([policy.name, policy.priority, policy.status, policy.system], ['pol1', null, null, false]);
  assert.deepEqual(readValue(policy.rules), [
    {
      id: 'rul1',
      name: 'Strict',
      priority: 1,
      status: 'ACTIVE',
      system: false,
      access: 'ALLOW',
      maxSessionIdleMinutes: 15,
      maxSessionLifetimeMinutes: null,
      usePersistentCookie: false,
      network: { connection: 'ZONE', include: ['nzo1'], exclude: [] },
    },
    {
      id: 'rul2',
      name: 'rul2',
      priority: null,
      status: null,
      system: false,
      access: null,
      maxSessionIdleMinutes: null,
      maxSessionLifetimeMinutes: null,
      usePersistentCookie: null,
      network: none,
    },
  ]);
});

test('reads a password policy from its nested settings', async (context) => {
  const [policy, bare] = readValue(
    await readBodies(context, 'passwordPolicies', {
      '/api/v1/policies?': [
        {
          id: 'pol1',
          name: 'Staff',
          priority: 1,
          status: 'ACTIVE',
          system: true,
          conditions: { authProvider: { provider: 'ACTIVE_DIRECTORY' } },
          settings: {
            password: {
              complexity: {
                minLength: 15,
                minUpperCase: 1,
                minLowerCase: 2,
                minNumber: 3,
                minSymbol: 4,
                dictionary: { common: { exclude: true } },
              },
              age: { minAgeMinutes: 1440, maxAgeDays: 0, historyCount: 5 },
              lockout: { maxAttempts: 0 },
            },
          },
        },
        { id: 'pol2', priority: 2 },
      ],
    }),
  );
  assert.deepEqual(policy, {
    id: 'pol1',
    name: 'Staff',
    priority: 1,
    status: 'ACTIVE',
    system: true,
    authProvider: 'ACTIVE_DIRECTORY',
    minLength: 15,
    minUpperCase: 1,
    minLowerCase: 2,
    minNumber: 3,
    minSymbol: 4,
    minAgeMinutes: 1440,
    maxAgeDays: 0,
    historyCount: 5,
    maxAttempts: 0,
    excludeCommonPasswords: true,
  });
  assert.deepEqual([bare?.minLength, bare?.maxAttempts, bare?.excludeCommonPasswords], [null, null, null]);
});

test("reads an app's policy ID from the last segment of its policy link", async (context) => {
  const link = (href: unknown) => ({ _links: { accessPolicy: { href } } });
  const apps = readValue(
    await readBodies(context, 'apps', {
      '/api/v1/apps?': [
        { id: '1', name: 'a', label: '1', ...link('https://x.test/api/v1/policies/rst1') },
        { id: '2', name: 'a', label: '2', ...link('/api/v1/policies/rst1/?expand=x') },
        { id: '3', name: 'a', label: '3', ...link('') },
        { id: '4', name: 'a', label: '4', ...link(null) },
        { id: '5', label: '5', status: 'ACTIVE' },
      ],
      '/api/v1/policies/rst1/rules': [
        {
          id: 'rul1',
          actions: {
            appSignOn: {
              access: 'ALLOW',
              verificationMethod: {
                factorMode: '2FA',
                constraints: [{ possession: { phishingResistant: 'REQUIRED' } }, { knowledge: {} }, null],
              },
            },
          },
        },
      ],
    }),
  );
  assert.deepEqual(
    apps.map(({ accessPolicy }) => accessPolicy?.id ?? null),
    ['rst1', 'rst1', null, null, null],
  );
  assert.equal(apps[4]?.name, '5');
  const [rule] = readValue(apps[0]?.accessPolicy?.rules ?? assert.fail());
  assert.deepEqual([rule?.access, rule?.factorMode], ['ALLOW', '2FA']);
  assert.deepEqual(rule?.phishingResistant, ['REQUIRED', null, null]);
});

test('reads branching authentication method chains and returns null if a step is unreadable', async (context) => {
  const rule = (id: string, chains: unknown) => ({
    id,
    priority: Number(id),
    actions: { appSignOn: { verificationMethod: { type: 'AUTH_METHOD_CHAIN', chains } } },
  });
  const password = { key: 'okta_password', method: 'password' };
  const key = { key: 'webauthn', method: 'webauthn', userVerification: 'REQUIRED' };
  const apps = readValue(
    await readBodies(context, 'apps', {
      '/api/v1/apps?': [{ id: '1', name: 'a', _links: { accessPolicy: { href: '/api/v1/policies/rst1' } } }],
      '/api/v1/policies/rst1/rules': [
        rule('1', [
          {
            authenticationMethods: [password],
            next: [{ authenticationMethods: [key] }],
            reauthenticateIn: 'PT2H',
          },
        ]),
        rule('2', [{ authenticationMethods: [password], next: [{ authenticationMethods: 'webauthn' }] }]),
        rule('3', []),
        rule('4', [{ authenticationMethods: [], next: [] }]),
      ],
    }),
  );
  const rules = readValue(apps[0]?.accessPolicy?.rules ?? assert.fail());
  const unset = { phishingResistant: null, userVerification: null };
  assert.deepEqual(rules[0]?.chains, [
    {
      methods: [{ ...password, ...unset }],
      next: [{ methods: [{ ...unset, ...key }], next: [] }],
    },
  ]);
  assert.deepEqual(
    rules.map(({ verificationType, chains }) => [verificationType, chains === null]),
    [false, true, true, true].map((unread) => ['AUTH_METHOD_CHAIN', unread]),
  );
});

test('reads the conditions that exclude users from an access rule', async (context) => {
  const conditions = [
    null,
    { network: { connection: 'ANYWHERE' }, riskScore: { level: 'ANY' }, device: { registered: false } },
    { people: { groups: { include: ['grp1'] }, users: { exclude: ['usr1'] } } },
    { userType: { include: [], exclude: ['otype'] }, network: { connection: 'ZONE', exclude: ['nzo1'] } },
    { device: { registered: true }, riskScore: { level: 'LOW' }, elCondition: { condition: 'device.x' } },
    { platform: { include: [{ type: 'ANY', os: { type: 'ANY' } }] } },
    { platform: { include: [{ type: 'MOBILE', os: { type: 'ANY' } }] } },
  ];
  const apps = readValue(
    await readBodies(context, 'apps', {
      '/api/v1/apps?': [{ id: '1', name: 'a', _links: { accessPolicy: { href: '/api/v1/policies/rst1' } } }],
      '/api/v1/policies/rst1/rules': conditions.map((one, priority) => ({
        id: `rul${priority}`,
        priority,
        conditions: one,
      })),
    }),
  );
  const rules = readValue(apps[0]?.accessPolicy?.rules ?? assert.fail());
  assert.deepEqual(
    rules.map((rule) => rule.conditions),
    [
      [],
      [],
      ['groups', 'users'],
      ['user types', 'network zones'],
      ['devices', 'risk', 'an expression'],
      [],
      ['platforms'],
    ],
  );
});

test('reads inactivity conditions only in days, and accepts either property name for the action', async (context) => {
  const inactivity = (number: unknown, unit: string) => ({
    people: { users: { inactivity: { number, unit } } },
  });
  const policies = readValue(
    await readBodies(context, 'lifecyclePolicies', {
      '/api/v1/policies?': [
        {
          id: 'p1',
          priority: 1,
          conditions: {
            people: { ...inactivity(35, 'DAYS').people, groups: { include: ['grp1', '', null] } },
          },
        },
        { id: 'p2', priority: 2, conditions: inactivity(5, 'WEEKS') },
        { id: 'p3', priority: 3, conditions: inactivity(30, 'day') },
        { id: 'p4', priority: 4, conditions: inactivity(1.5, 'DAYS') },
      ],
      '/api/v1/policies/': [
        { id: 'r1', priority: 1, actions: { updateUserLifecycle: { targetStatus: 'SUSPENDED' } } },
        { id: 'r2', priority: 2, actions: { userLifecycle: { status: 'DEACTIVATED' } } },
      ],
    }),
  );
  assert.deepEqual(
    policies.map(({ inactivityDays }) => inactivityDays),
    [35, null, 30, null],
  );
  assert.deepEqual(policies[0]?.groups, ['grp1']);
  const rules = readValue(policies[0]?.rules ?? assert.fail());
  assert.deepEqual(
    rules.map(({ targetStatus }) => targetStatus),
    ['SUSPENDED', 'DEACTIVATED'],
  );
});
