import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/user/user-inactivity-automation-35d-enabled.ts';
import { read, unread } from '../../../src/directory/read-result.ts';
import type {
  App,
  IdentityProvider,
  LifecyclePolicy,
  LifecycleRule,
  Snapshot,
} from '../../../src/directory/snapshot.ts';
import { passwordPolicy } from '../authenticator/password-policy.ts';
import { assertVerdicts, contextOf, FAILED_READS, scopeMissing } from '../evaluations.ts';
import { identityProvider } from '../idp/identity-provider.ts';
import { app } from '../snapshots.ts';
import { lifecyclePolicy, lifecycleRule } from './lifecycle-policy.ts';

/** Evaluates the check. By default, the organization has one compliant automation and no connected directory. */
const evaluateAll = (overrides: Partial<Parts> = {}, options: Parameters<typeof contextOf>[1] = {}) =>
  check.evaluate(
    contextOf<keyof Parts>(
      {
        lifecyclePolicies: read([lifecyclePolicy()]),
        passwordPolicies: read([passwordPolicy()]),
        apps: read([app(null, { name: 'ldap_interface' })]),
        identityProviders: read([]),
        ...overrides,
      },
      options,
    ),
  );
type Parts = Pick<Snapshot, 'lifecyclePolicies' | 'passwordPolicies' | 'apps' | 'identityProviders'>;
const evaluate = (...policies: readonly LifecyclePolicy[]) =>
  evaluateAll({ lifecyclePolicies: read(policies) });
const evaluateWithin = (maxInactivityDays: number, ...policies: readonly LifecyclePolicy[]) =>
  evaluateAll({ lifecyclePolicies: read(policies) }, { thresholds: { maxInactivityDays } });
const withRule = (fields: Partial<LifecycleRule>) =>
  lifecyclePolicy({ rules: read([lifecycleRule(fields)]) });

describe(check.id, () => {
  it('passes a compliant automation, reports its settings, and recommends verifying its groups', () => {
    const verdicts = evaluate(lifecyclePolicy({ groups: ['group-1', 'group-2'] }));
    assertVerdicts(verdicts, [
      'PASS',
      'rule-1',
      /"Suspend" changes users to SUSPENDED after 35 days/,
      /groups group-1, group-2\. Verify manually/,
    ]);
    assert.equal(verdicts[0]?.resource.name, 'Suspend');
  });

  it('accepts fewer days than the threshold and any action that disables a user', () => {
    assertVerdicts(evaluate(lifecyclePolicy({ inactivityDays: 14 })), ['PASS', 'rule-1', /after 14 days/]);
    assertVerdicts(evaluate(lifecyclePolicy({ inactivityDays: 1 })), ['PASS', 'rule-1']);
    for (const targetStatus of ['DEACTIVATED', 'DEPROVISIONED', 'suspended']) {
      assertVerdicts(evaluate(withRule({ targetStatus })), ['PASS', 'rule-1']);
    }
  });

  it('evaluates every rule of every policy and passes the rules that comply', () => {
    const verdicts = evaluate(
      lifecyclePolicy({
        rules: read([lifecycleRule(), lifecycleRule({ id: 'rule-2', targetStatus: null })]),
      }),
      lifecyclePolicy({ id: 'pol-2', rules: read([lifecycleRule({ id: 'rule-3', name: '' })]) }),
      lifecyclePolicy({ id: 'pol-3', inactivityDays: 90, rules: read([lifecycleRule({ id: 'rule-4' })]) }),
    );
    assertVerdicts(verdicts, ['PASS', 'rule-1'], ['PASS', 'rule-3', /"Inactive users"/]);
  });

  it('fails an automation with one problem and reports only that problem', () => {
    const cases: readonly (readonly [LifecyclePolicy, RegExp])[] = [
      [lifecyclePolicy({ inactivityDays: 90 }), /problems: inactivity of 90 days \(maximum 35 days\)\.$/],
      [lifecyclePolicy({ inactivityDays: 36 }), /problems: inactivity of 36 days \(maximum 35 days\)\.$/],
      [
        lifecyclePolicy({ inactivityDays: 0 }),
        /problems: inactivity of 0 days, which sets no limit \(maximum 35 days\)\.$/,
      ],
      [lifecyclePolicy({ inactivityDays: null }), /problems: no inactivity condition in days\.$/],
      [lifecyclePolicy({ groups: [] }), /problems: no assigned groups\.$/],
      [lifecyclePolicy({ status: 'INACTIVE' }), /problems: schedule INACTIVE\.$/],
      [lifecyclePolicy({ status: null }), /problems: schedule unset\.$/],
      [withRule({ status: 'INACTIVE' }), /problems: status INACTIVE\.$/],
      [withRule({ status: null }), /problems: status unset\.$/],
      [withRule({ targetStatus: 'ACTIVE' }), /problems: action ACTIVE\.$/],
      [withRule({ targetStatus: null }), /problems: action unset\.$/],
    ];
    for (const [policy, pattern] of cases)
      assertVerdicts(evaluate(policy), ['FAIL', 'rule-1', /at most 35 days/, pattern]);
  });

  it('fails a policy without rules as an incomplete automation and reports all its problems', () => {
    const shell = lifecyclePolicy({
      name: '',
      status: 'INACTIVE',
      inactivityDays: null,
      groups: [],
      rules: read([]),
    });
    const pattern =
      /problems: status INACTIVE, schedule INACTIVE, no inactivity condition in days, action unset, no assigned groups\.$/;
    assertVerdicts(evaluate(shell), ['FAIL', 'pol-1', /"\(unnamed automation\)"/, pattern]);
  });

  it('uses a placeholder name for an unnamed automation', () => {
    const unnamed = lifecyclePolicy({ name: '', rules: read([lifecycleRule({ name: '' })]) });
    assertVerdicts(evaluate(unnamed), ['PASS', 'rule-1', /"\(unnamed\)"/]);
  });

  it('uses the configured inactivity threshold', () => {
    assertVerdicts(evaluateWithin(90, lifecyclePolicy({ inactivityDays: 60 })), [
      'PASS',
      'rule-1',
      /maximum 90 days/,
    ]);
    assertVerdicts(evaluateWithin(14, lifecyclePolicy()), [
      'FAIL',
      'rule-1',
      /inactivity of 35 days \(maximum 14 days\)/,
    ]);
  });

  it('reports the active, scheduled automation closest to the threshold if no automation complies', () => {
    const automation = (id: string, fields: Partial<LifecyclePolicy>, rule: Partial<LifecycleRule> = {}) =>
      lifecyclePolicy({ ...fields, id: `pol-${id}`, rules: read([lifecycleRule({ id, ...rule })]) });
    const inactive = automation('inactive', {}, { status: 'INACTIVE' });
    const unscheduled = automation('unscheduled', { status: 'INACTIVE' });
    const undated = automation('undated', { inactivityDays: null });
    const far = automation('far', { inactivityDays: 365 });
    const near = automation('near', { inactivityDays: 100 }, { name: 'B' });
    const nearToo = automation('near-too', { inactivityDays: 100 }, { name: 'A' });
    const expectClosest = (id: string, ...policies: readonly LifecyclePolicy[]) =>
      assertVerdicts(evaluate(...policies), ['FAIL', id]);
    expectClosest('unscheduled', inactive, unscheduled);
    expectClosest('undated', inactive, unscheduled, undated);
    expectClosest('far', undated, far, inactive);
    expectClosest('near', far, near);
    expectClosest('near-too', near, nearToo, far);
  });

  it('finds the automation closest to the configured threshold rather than the default', () => {
    const automation = (id: string, inactivityDays: number) =>
      lifecyclePolicy({ inactivityDays, groups: [], rules: read([lifecycleRule({ id })]) });
    assertVerdicts(evaluateWithin(90, automation('near-35', 30), automation('near-90', 85)), [
      'FAIL',
      'near-90',
    ]);
  });

  it('fails when the organization has no automations', () => {
    const verdicts = evaluate();
    const id = 'directory-user-inactivity-no-automations';
    assertVerdicts(verdicts, ['FAIL', id, /has no automations\. .* at most 35 days/]);
    assert.equal(verdicts[0]?.resource.name, '(no automations configured)');
  });

  it('returns MANUAL for a connected external directory, regardless of automations', () => {
    const connected = [
      identityProvider({ name: 'Forest', type: 'ACTIVE_DIRECTORY' }),
      identityProvider({ id: 'idp-2', name: 'Tree', type: 'ldap', status: 'active' }),
      identityProvider({ id: 'idp-3', name: 'Gone', type: 'LDAP', status: 'INACTIVE' }),
    ];
    for (const policies of [[], [lifecyclePolicy()], [lifecyclePolicy({ inactivityDays: 90 })]]) {
      const verdicts = evaluateAll({ lifecyclePolicies: read(policies), identityProviders: read(connected) });
      assertVerdicts(verdicts, [
        'MANUAL',
        'directory-user-inactivity-na-external-directory',
        /"Forest" \(ACTIVE_DIRECTORY\), identity provider "Tree" \(ldap\)\), which must/,
        /at most 35 days/,
      ]);
    }
  });

  it('detects a connected directory by its agent app or by a password policy for its users', () => {
    const shown: readonly (readonly [Partial<Parts>, RegExp])[] = [
      [
        { apps: read([app(null, { name: 'active_directory', label: 'corp.example' })]) },
        /\(app "corp\.example" \(active_directory\)\), which must/,
      ],
      [{ apps: read([app(null, { name: 'ldap_openldap', label: null })]) }, /app "ldap_openldap"/],
      [
        { passwordPolicies: read([passwordPolicy({ name: 'Forest', authProvider: 'ACTIVE_DIRECTORY' })]) },
        /\(password policy "Forest" \(Active Directory\)\), which must/,
      ],
      [{ passwordPolicies: read([passwordPolicy({ authProvider: 'LDAP' })]) }, /\(LDAP\)/],
    ];
    for (const [overrides, pattern] of shown) {
      const id = 'directory-user-inactivity-na-external-directory';
      assertVerdicts(evaluateAll(overrides), ['MANUAL', id, /^Not applicable: /, pattern]);
    }
  });

  it('requires the app list for an Okta organization, because Okta identity providers are not directories', () => {
    const okta = { dialect: 'okta' } as const;
    const identityProviders = unread<readonly IdentityProvider[]>(scopeMissing('okta.idps.read'));
    assertVerdicts(evaluateAll({ identityProviders }, okta), ['PASS', 'rule-1']);
    const apps = unread<readonly App[]>(scopeMissing('okta.apps.read'));
    assertVerdicts(evaluateAll({ apps }, okta), [
      'MANUAL',
      'directory-user-scope-missing',
      /okta\.apps\.read/,
    ]);
    assertVerdicts(evaluateAll({ apps }), ['PASS', 'rule-1']);
  });

  it('evaluates the automations if no external directory is active', () => {
    const providers = [
      identityProvider(),
      identityProvider({ type: 'SAML2' }),
      identityProvider({ type: 'LDAP', status: null }),
      identityProvider({ type: 'ACTIVE_DIRECTORY', status: 'INACTIVE' }),
    ];
    const verdicts = evaluateAll({
      identityProviders: read(providers),
      passwordPolicies: read([passwordPolicy({ authProvider: 'LDAP', status: 'INACTIVE' })]),
      apps: read([app(null, { name: 'active_directory', status: 'INACTIVE' })]),
    });
    assertVerdicts(verdicts, ['PASS', 'rule-1']);
  });

  describe('unread data', () => {
    const rulesUnread = (id: string) =>
      lifecyclePolicy({
        id,
        name: `Policy ${id}`,
        rules: unread({ cause: 'failed', scope: null, detail: 'GET /rules returned 500' }),
      });

    it('returns MANUAL for a policy whose rules could not be read', () => {
      const verdicts = evaluate(rulesUnread('a'), lifecyclePolicy({ inactivityDays: 90 }), rulesUnread('b'));
      assertVerdicts(
        verdicts,
        ['MANUAL', 'a', /"Policy a" could not be read: GET \/rules returned 500/],
        ['MANUAL', 'b'],
      );
    });

    it("passes if an automation complies, even if another policy's rules could not be read", () => {
      assertVerdicts(evaluate(rulesUnread('a'), lifecyclePolicy()), ['PASS', 'rule-1']);
    });

    it('reports unreadable policies if neither the policies nor the identity providers could be read', () => {
      const lifecyclePolicies = unread<readonly LifecyclePolicy[]>(scopeMissing('directory.policies.read'));
      const identityProviders = unread<readonly IdentityProvider[]>(scopeMissing('directory.idps.read'));
      const verdicts = evaluateAll({ lifecyclePolicies, identityProviders });
      assertVerdicts(verdicts, ['MANUAL', 'directory-user-scope-missing', /directory\.policies\.read/]);
      for (const { problem, pattern } of FAILED_READS) {
        const failed = unread<readonly LifecyclePolicy[]>(problem);
        assertVerdicts(evaluateAll({ lifecyclePolicies: failed }), [
          'MANUAL',
          'directory-user-retrieval-error',
          pattern,
        ]);
      }
    });

    it('returns MANUAL if the identity providers could not be read, even if an automation complies', () => {
      const scope = unread<readonly IdentityProvider[]>(scopeMissing('directory.idps.read'));
      const verdicts = evaluateAll({ identityProviders: scope });
      assertVerdicts(verdicts, ['MANUAL', 'directory-user-scope-missing', /directory\.idps\.read/]);
      for (const { problem, pattern } of FAILED_READS) {
        const identityProviders = unread<readonly IdentityProvider[]>(problem);
        const failed = evaluateAll({ identityProviders });
        assertVerdicts(failed, ['MANUAL', 'directory-user-retrieval-error', pattern]);
      }
    });
  });
});
