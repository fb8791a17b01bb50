import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../src/checks/check.ts';
import { checksForDialect } from '../../src/checks/dialect-checks.ts';
import { type ScanScope, scanCoverage } from '../../src/cli/scan-coverage.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';
import { type Read, read } from '../../src/directory/read-result.ts';
import type { ApiToken, LifecyclePolicy, Snapshot } from '../../src/directory/snapshot.ts';
import {
  accessDenied,
  accessRule,
  app,
  brand,
  failed,
  IN_ZONE,
  page,
  scopeMissing,
  sessionPolicy,
  sessionRule,
} from '../checks/snapshots.ts';

const dialect = DIALECTS.directory;
const ALL = checksForDialect(dialect);

const token = (roles: Pick<ApiToken, 'directRoles' | 'inheritedRoles'>): ApiToken => ({
  id: 'tok1',
  name: 'deploy',
  clientName: null,
  userId: 'usr1',
  network: IN_ZONE,
  ...roles,
});

const lifecyclePolicy = (rules: LifecyclePolicy['rules']): LifecyclePolicy => ({
  id: 'pol9',
  name: 'Inactive users',
  priority: 1,
  status: 'ACTIVE',
  system: false,
  inactivityDays: 35,
  groups: ['grp1'],
  rules,
});

/** A snapshot without failed reads. */
const COMPLETE: Snapshot = {
  sessionPolicies: read([sessionPolicy([sessionRule()])]),
  brands: read([brand(page('Welcome'))]),
  adminConsoleSettings: read({ sessionIdleTimeoutMinutes: 15 }),
  adminConsoleApp: read(app([accessRule()])),
  dashboardApp: read(app([accessRule()], { name: 'directory_enduser' })),
  apps: read([app([accessRule()]), app(null, { id: '0oa2', name: 'wiki' })]),
  passwordPolicies: read([]),
  authenticators: read([]),
  apiTokens: read([token({ directRoles: read(['READ_ONLY_ADMIN']), inheritedRoles: [read([])] })]),
  zones: read([]),
  identityProviders: read([]),
  logStreams: read([]),
  lifecyclePolicies: read([lifecyclePolicy(read([]))]),
};

const checksOf = (...services: readonly string[]): readonly Check[] =>
  ALL.filter(({ service }) => services.includes(service));
const check = (id: string): readonly Check[] => ALL.filter((candidate) => candidate.id === id);
const INACTIVITY = check('user_inactivity_automation_35d_enabled');

/** The coverage of a scan of all checks that reads everything, except for these differences. */
function coverage({
  snapshot,
  ...scope
}: { snapshot?: Partial<Snapshot> } & Partial<Omit<ScanScope, 'snapshot'>>) {
  return scanCoverage({
    allChecks: ALL,
    checks: ALL,
    areAllEvaluated: true,
    dialect,
    status: [],
    ...scope,
    snapshot: { ...COMPLETE, ...snapshot },
  });
}

describe('coverage of a scan', () => {
  const noApp = read(undefined);
  const wiki = read([app(null, { name: 'wiki' })]);
  const table: readonly (readonly [string, Parameters<typeof coverage>[0], string])[] = [
    ['all checks', {}, 'account'],
    ['a selection that includes all checks in another order', { checks: ALL.toReversed() }, 'account'],
    ['all checks but one', { checks: ALL.slice(1) }, 'checks'],
    ['one service', { checks: checksOf('systemlog') }, 'checks'],
    [
      'a selection that does not need the failed read',
      { checks: checksOf('systemlog'), snapshot: { zones: accessDenied() } },
      'checks',
    ],
    [
      'a selection that needs the failed read',
      { checks: checksOf('systemlog', 'network'), snapshot: { zones: accessDenied() } },
      'partial',
    ],
    ['--status', { status: ['FAIL'] }, 'partial'],
    ['--status with all statuses', { status: ['PASS', 'FAIL', 'MANUAL', 'MUTED'] }, 'partial'],
    ['a selection and --status', { checks: checksOf('systemlog'), status: ['FAIL'] }, 'partial'],
    ['a check with an internal error', { areAllEvaluated: false }, 'partial'],
    [
      'a selection with an internal error',
      { checks: checksOf('systemlog'), areAllEvaluated: false },
      'partial',
    ],
    ['a missing scope', { snapshot: { logStreams: scopeMissing('directory.logStreams.read') } }, 'partial'],
    [
      'a feature that the organization does not have',
      { snapshot: { logStreams: failed('not_offered', 'GET /api/v1/logStreams returned 404') } },
      'partial',
    ],
    [
      'unreadable rules of a session policy',
      { snapshot: { sessionPolicies: read([sessionPolicy([]), sessionPolicy(accessDenied())]) } },
      'partial',
    ],
    ['an unreadable sign-in page', { snapshot: { brands: read([brand(accessDenied())]) } }, 'partial'],
    [
      'unreadable rules of the admin console',
      { snapshot: { adminConsoleApp: read(app(accessDenied())) } },
      'partial',
    ],
    [
      'unreadable rules of one app',
      { snapshot: { apps: read([app([accessRule()]), app(accessDenied(), { id: '0oa2' })]) } },
      'partial',
    ],
    [
      'unreadable roles of a token owner',
      { snapshot: { apiTokens: read([token({ directRoles: accessDenied(), inheritedRoles: [] })]) } },
      'partial',
    ],
    [
      'unreadable roles of a group of a token owner',
      {
        snapshot: {
          apiTokens: read([token({ directRoles: read([]), inheritedRoles: [read([]), accessDenied()] })]),
        },
      },
      'partial',
    ],
    [
      'unreadable rules of an automation',
      { snapshot: { lifecyclePolicies: read([lifecyclePolicy(accessDenied())]) } },
      'partial',
    ],
    ['a role that cannot see the admin console', { snapshot: { adminConsoleApp: noApp } }, 'partial'],
    ['a role that cannot see the dashboard', { snapshot: { dashboardApp: noApp } }, 'partial'],
    [
      'a check of apps with a role that can see all apps',
      { checks: INACTIVITY, snapshot: { adminConsoleApp: accessDenied() } },
      'checks',
    ],
    [
      'a check of apps with a role that may not see all apps',
      { checks: INACTIVITY, snapshot: { adminConsoleApp: accessDenied(), apps: wiki } },
      'partial',
    ],
    ['an admin console that is not in the list of apps', { snapshot: { apps: wiki } }, 'account'],
  ];
  for (const [description, scope, expected] of table)
    it(`declares the coverage ${expected} for ${description}`, () => {
      const declared = coverage(scope);
      assert.equal(declared.coverage, expected);
      assert.equal(declared.reason === null, expected !== 'partial');
    });

  const ZONES = 'GET /api/v1/zones returned 403';
  const unreadZones: Partial<Snapshot> = { zones: failed('role', ZONES) };
  const reasons: readonly (readonly [string, Parameters<typeof coverage>[0], string])[] = [
    ['--status', { status: ['FAIL'], snapshot: unreadZones }, '--status omits findings'],
    [
      'a check with an internal error',
      { areAllEvaluated: false, snapshot: unreadZones },
      'a check failed with an internal error',
    ],
    ['one failed read', { snapshot: unreadZones }, ZONES],
    [
      'two failed reads',
      { snapshot: { ...unreadZones, logStreams: failed('failed', 'GET /api/v1/logStreams returned 500') } },
      `${ZONES}, and 1 other read failed`,
    ],
    [
      'three failed reads, one of them twice',
      {
        snapshot: {
          ...unreadZones,
          brands: read([
            brand(failed('failed', 'b')),
            brand(failed('failed', 'b')),
            brand(failed('failed', 'c')),
          ]),
        },
      },
      `${ZONES}, and 2 other reads failed`,
    ],
    [
      'a missing scope',
      { snapshot: { logStreams: scopeMissing('directory.logStreams.read') } },
      'the scope directory.logStreams.read was not granted',
    ],
    [
      'a role that cannot see the admin console',
      { snapshot: { adminConsoleApp: noApp } },
      'the role of the service app cannot see the first-party apps',
    ],
    [
      'a role that may not see all apps',
      { checks: INACTIVITY, snapshot: { adminConsoleApp: accessDenied(), apps: wiki } },
      'the role of the service app cannot see all apps',
    ],
  ];
  for (const [description, scope, reason] of reasons)
    it(`gives ${description} as the reason for a partial coverage`, () => {
      assert.deepEqual(coverage(scope), { coverage: 'partial', reason });
    });

  it('declares the coverage partial for all checks if any resource could not be read', () => {
    const unread: Read<never> = accessDenied();
    for (const key of Object.keys(COMPLETE))
      assert.equal(coverage({ snapshot: { [key]: unread } }).coverage, 'partial', key);
  });

  it('declares the coverage partial if the Okta admin console cannot be seen', () => {
    const okta = checksForDialect(DIALECTS.okta);
    const scope = { allChecks: okta, checks: okta, dialect: DIALECTS.okta };
    assert.equal(coverage(scope).coverage, 'account');
    assert.equal(coverage({ ...scope, snapshot: { adminConsoleApp: noApp } }).coverage, 'partial');
  });
});
