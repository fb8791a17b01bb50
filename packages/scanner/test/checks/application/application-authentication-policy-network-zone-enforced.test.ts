import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/application/application-authentication-policy-network-zone-enforced.ts';
import { type Read, read } from '../../../src/directory/read-result.ts';
import type { AccessRule, App } from '../../../src/directory/snapshot.ts';
import {
  ANYWHERE,
  accessDenied,
  accessRule,
  app,
  catchAllRule,
  evaluated,
  failed,
  NOT_IN_ZONE,
  outline,
  scopeMissing,
} from '../snapshots.ts';

const SEEN = read(app([]));
const HIDDEN = read(undefined);
const PARTIAL = /Only apps that are assigned to the service app were visible .* Super Administrator/;
const PAYROLL = { id: '0oa5', name: 'payroll_saml', label: 'Payroll' };

describe('application_authentication_policy_network_zone_enforced', () => {
  const evaluateRead = (apps: Read<readonly App[]>, adminConsoleApp: Read<App | undefined> = SEEN) =>
    check.evaluate(evaluated({ apps, adminConsoleApp }));
  const evaluate = (...apps: App[]) => evaluateRead(read(apps));
  const evaluateRules = (...rules: AccessRule[]) => {
    const verdicts = evaluate(app(rules, PAYROLL));
    assert.deepEqual(outline(verdicts), [[verdicts[0]?.status, '0oa5', 'Payroll']]);
    return `${verdicts[0]?.status}: ${verdicts[0]?.detail}`;
  };
  const outside = accessRule({
    id: 'rul2',
    name: 'Travel',
    priority: 2,
    network: NOT_IN_ZONE,
    access: 'DENY',
  });

  it('passes an app whose rules require a zone and whose catch-all rule denies access', () => {
    assert.match(
      evaluateRules(accessRule(), outside, catchAllRule()),
      /^PASS: .* app "Payroll" \(payroll_saml, id 0oa5\) has a network zone in all active non-default rules \(2\), and its catch-all rule "Catch-all Rule" denies access/,
    );
  });

  it('fails a rule that allows access from everywhere except a zone', () => {
    assert.match(
      evaluateRules({ ...outside, access: 'ALLOW' }, catchAllRule()),
      /^FAIL: .* has no network zone in 1 of its 1 active non-default rules: "Travel"\. /,
    );
  });

  it('fails rules without a zone, even if they deny access, and reports them in priority order', () => {
    const open = accessRule({ id: 'rul3', name: 'Late', priority: 7, network: ANYWHERE });
    const deny = accessRule({ id: 'rul4', name: 'Early', priority: 3, network: ANYWHERE, access: 'DENY' });
    assert.match(
      evaluateRules(open, catchAllRule(), accessRule(), deny),
      /^FAIL: .* has no network zone in 2 of its 3 active non-default rules: "Early", "Late"\. Required: /,
    );
  });

  it('ignores inactive rules in a sign-on policy', () => {
    const open = accessRule({ network: ANYWHERE, status: 'INACTIVE' });
    assert.match(evaluateRules(open, outside, catchAllRule()), /^PASS/);
    assert.match(
      evaluateRules(open, catchAllRule()),
      /^FAIL: .* no active rules other than the catch-all rule/,
    );
  });

  it('fails a catch-all rule that does not deny access and reports its setting', () => {
    assert.match(
      evaluateRules(accessRule(), catchAllRule({ access: 'ALLOW' })),
      /^FAIL: The catch-all rule "Catch-all Rule" .* has access ALLOW\. Required: /,
    );
    assert.match(evaluateRules(accessRule(), catchAllRule({ access: null })), /^FAIL: .* has access unset/);
  });

  it('fails a policy that has only a catch-all rule, no catch-all rule, or no rules', () => {
    assert.match(evaluateRules(catchAllRule()), /^FAIL: .* no active rules other than the catch-all rule/);
    assert.match(evaluateRules(accessRule()), /^FAIL: .* has no active catch-all rule/);
    assert.match(
      evaluateRules(accessRule(), catchAllRule({ status: 'INACTIVE' })),
      /no active catch-all rule/,
    );
    assert.match(evaluateRules(), /^FAIL: .* has no active rules\. Required: /);
  });

  it('recognizes a catch-all rule by its name if it is not marked as a system rule', () => {
    assert.match(evaluateRules(accessRule(), catchAllRule({ system: false })), /^PASS/);
  });

  it('fails an app without a sign-on policy', () => {
    const verdicts = evaluate(app(null, PAYROLL));
    assert.deepEqual(outline(verdicts), [['FAIL', '0oa5', 'Payroll']]);
    assert.match(verdicts[0]?.detail ?? '', /^No sign-on policy is assigned to the app "Payroll"/);
  });

  it('ignores inactive apps and sorts active apps by label and ID', () => {
    const named = (id: string, label: string | null, name = 'saml') => app(null, { id, label, name });
    const verdicts = evaluate(
      named('0oa9', 'Wiki'),
      named('0oa8', null, 'mail'),
      named('0oa7', 'Wiki'),
      named('0oa6', '', 'chat'),
      app(null, { status: 'INACTIVE' }),
    );
    assert.deepEqual(outline(verdicts), [
      ['FAIL', '0oa7', 'Wiki'],
      ['FAIL', '0oa9', 'Wiki'],
      ['FAIL', '0oa6', 'chat'],
      ['FAIL', '0oa8', 'mail'],
    ]);
  });

  it('treats an app without a status as active', () => {
    assert.equal(evaluate(app(null, { ...PAYROLL, status: null }))[0]?.resource.id, '0oa5');
  });

  it('ignores Okta connectors, which users cannot sign in to', () => {
    const apps = read([
      app(null, { ...PAYROLL, signOnMode: 'SAML_2_0' }),
      app(null, { id: '0oa9', name: 'active_directory', signOnMode: null }),
    ]);
    const evaluateIn = (dialect: 'directory' | 'okta') =>
      check.evaluate(evaluated({ apps, adminConsoleApp: read(app(null)) }, {}, dialect)).length;
    assert.deepEqual([evaluateIn('okta'), evaluateIn('directory')], [1, 2]);
  });

  it('returns MANUAL if there are no active apps', () => {
    for (const verdicts of [evaluate(), evaluate(app([], { status: 'INACTIVE' }))]) {
      assert.deepEqual(outline(verdicts), [['MANUAL', 'directory-apps-missing', 'Directory applications']]);
      assert.match(verdicts[0]?.detail ?? '', /^Directory returned no active apps/);
      assert.doesNotMatch(verdicts[0]?.detail ?? '', PARTIAL);
    }
  });

  it('reports partial visibility in each finding if first-party apps are not visible', () => {
    const good = app([accessRule(), catchAllRule()], PAYROLL);
    const verdicts = evaluateRead(read([good, app(null), app(accessDenied(), { id: '0oa7' })]), HIDDEN);
    assert.deepEqual(verdicts.map(({ status }) => status).sort(), ['FAIL', 'MANUAL', 'PASS']);
    for (const { detail } of verdicts) assert.match(detail, PARTIAL);
    const [none] = evaluateRead(read([]), HIDDEN);
    assert.equal(none?.status, 'MANUAL');
    assert.match(none?.detail ?? '', PARTIAL);
  });

  it('does not report partial visibility if the visibility of first-party apps is unknown', () => {
    for (const adminConsoleApp of [SEEN, failed<App | undefined>('failed', 'GET /x returned 500')]) {
      const [verdict] = evaluateRead(read([app(null)]), adminConsoleApp);
      assert.equal(verdict?.status, 'FAIL');
      assert.doesNotMatch(verdict?.detail ?? '', PARTIAL);
    }
  });

  it('returns a single MANUAL if the scope for apps or policies is missing', () => {
    const placeholder = [
      'MANUAL',
      'directory-integrated-apps-scope-missing',
      'Directory integrated applications',
    ];
    const apps = evaluateRead(scopeMissing('directory.apps.read'));
    assert.deepEqual(outline(apps), [placeholder]);
    assert.match(apps[0]?.detail ?? '', /Grant the scope directory\.apps\.read/);
    const unread = scopeMissing<readonly AccessRule[]>('directory.policies.read');
    const policies = evaluate(app(unread, PAYROLL), app(unread));
    assert.deepEqual(outline(policies), [placeholder]);
    assert.match(policies[0]?.detail ?? '', /Grant the scope directory\.policies\.read/);
  });

  it('returns MANUAL when the apps could not be read', () => {
    const verdicts = evaluateRead(accessDenied());
    assert.deepEqual(outline(verdicts), [
      ['MANUAL', 'directory-integrated-apps-retrieval-error', 'Directory integrated applications'],
    ]);
    assert.match(verdicts[0]?.detail ?? '', /^The apps could not be read: .* 403 \(E0000006/);
  });

  it('returns MANUAL for an app whose rules could not be read, but still evaluates the other apps', () => {
    const good = app([accessRule(), catchAllRule()], PAYROLL);
    const verdicts = evaluate(app(failed('failed', 'GET /rules returned 500')), good);
    assert.deepEqual(outline(verdicts), [
      ['MANUAL', '0oa1', 'Admin Console'],
      ['PASS', '0oa5', 'Payroll'],
    ]);
    assert.match(
      verdicts[0]?.detail ?? '',
      /app "Admin Console" \(saasure, id 0oa1\) could not be read: GET \/rules/,
    );
  });
});
