import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as consoleFactors } from '../../../src/checks/application/application-admin-console-mfa-required.ts';
import { check as consolePhishing } from '../../../src/checks/application/application-admin-console-phishing-resistant-authentication.ts';
import { check as dashboardFactors } from '../../../src/checks/application/application-dashboard-mfa-required.ts';
import { check as dashboardPhishing } from '../../../src/checks/application/application-dashboard-phishing-resistant-authentication.ts';
import type { Verdict } from '../../../src/checks/check.ts';
import { type Read, read } from '../../../src/directory/read-result.ts';
import type { AccessRule, App } from '../../../src/directory/snapshot.ts';
import {
  accessDenied,
  accessRule,
  app,
  catchAllRule,
  evaluated,
  failed,
  outline,
  scopeMissing,
} from '../snapshots.ts';

type Dialect = 'directory' | 'okta';

const CONSOLE = { name: 'saasure', title: 'Admin Console' };
const DASHBOARD = { name: 'directory_enduser', title: 'Dashboard' };
const GOOD = accessRule();
const BAD = accessRule({ factorMode: '1FA', phishingResistant: ['OPTIONAL'] });

const CHECKS = [
  {
    id: consoleFactors.id,
    of: CONSOLE,
    evaluate: (adminConsoleApp: Read<App | undefined>, dialect?: Dialect) =>
      consoleFactors.evaluate(evaluated({ adminConsoleApp }, {}, dialect)),
  },
  {
    id: consolePhishing.id,
    of: CONSOLE,
    evaluate: (adminConsoleApp: Read<App | undefined>, dialect?: Dialect) =>
      consolePhishing.evaluate(evaluated({ adminConsoleApp }, {}, dialect)),
  },
  {
    id: dashboardFactors.id,
    of: DASHBOARD,
    evaluate: (dashboardApp: Read<App | undefined>, dialect?: Dialect) =>
      dashboardFactors.evaluate(evaluated({ dashboardApp }, {}, dialect)),
  },
  {
    id: dashboardPhishing.id,
    of: DASHBOARD,
    evaluate: (dashboardApp: Read<App | undefined>, dialect?: Dialect) =>
      dashboardPhishing.evaluate(evaluated({ dashboardApp }, {}, dialect)),
  },
];

for (const { id, of, evaluate } of CHECKS) {
  describe(id, () => {
    const visible = (rules: Parameters<typeof app>[0], overrides: Partial<App> = {}) =>
      evaluate(read(app(rules, { name: of.name, ...overrides })));
    const evaluateRules = (...rules: AccessRule[]) => visible(rules);
    const detailOf = ([verdict]: readonly Verdict[]) => verdict?.detail ?? '';

    it("passes an app whose top rule complies, and uses the app's internal name as the resource name", () => {
      const verdicts = evaluateRules(GOOD, catchAllRule());
      assert.deepEqual(outline(verdicts), [['PASS', '0oa1', of.name]]);
      assert.match(
        detailOf(verdicts),
        new RegExp(
          `app Directory ${of.title} \\(${of.name}\\) is the non-default rule "Staff" \\(priority 1\\)`,
        ),
      );
    });

    it('fails an app whose top rule does not comply, even if the next rule does', () => {
      const verdicts = evaluateRules(BAD, accessRule({ id: 'rul2', name: 'Second', priority: 2 }));
      assert.deepEqual(outline(verdicts), [['FAIL', '0oa1', of.name]]);
      assert.match(detailOf(verdicts), /"Staff" \(priority 1\), which .*\. Required: /);
    });

    it('evaluates and reports the catch-all rule if no other rule precedes it', () => {
      const fit = { access: 'ALLOW', factorMode: '2FA', phishingResistant: ['REQUIRED'] };
      const bySystem = evaluateRules(catchAllRule(fit));
      assert.equal(bySystem[0]?.status, 'PASS');
      assert.match(detailOf(bySystem), /the built-in catch-all rule "Catch-all Rule" \(priority 99\)/);
      assert.match(
        detailOf(evaluateRules(catchAllRule({ ...fit, system: false }))),
        /built-in catch-all rule/,
      );
      assert.equal(evaluateRules(catchAllRule({ access: 'ALLOW' }))[0]?.status, 'FAIL');
    });

    it('uses the first active rule, regardless of its priority', () => {
      for (const priority of [0, 2]) {
        assert.equal(evaluateRules(accessRule({ priority }), catchAllRule())[0]?.status, 'PASS');
      }
      assert.match(detailOf(evaluateRules(accessRule({ priority: null }))), /"Staff" \(priority unset\)/);
    });

    it('ignores inactive rules in a sign-on policy', () => {
      const verdicts = evaluateRules(accessRule({ status: 'INACTIVE' }), catchAllRule({ access: 'ALLOW' }));
      assert.equal(verdicts[0]?.status, 'FAIL');
      assert.match(detailOf(verdicts), /"Catch-all Rule"/);
    });

    it("evaluates subsequent rules for users who do not match a rule's conditions", () => {
      const staff = accessRule({ conditions: ['groups'] });
      const verdicts = evaluateRules(staff, catchAllRule({ access: 'ALLOW' }));
      assert.deepEqual(outline(verdicts), [['FAIL', '0oa1', of.name]]);
      assert.match(
        detailOf(verdicts),
        /users who match no earlier rule reach the built-in catch-all rule "Catch-all Rule" \(priority 99\), which /,
      );
      const everybody = accessRule({ conditions: [] });
      assert.equal(evaluateRules(everybody, catchAllRule({ access: 'ALLOW' }))[0]?.status, 'PASS');
    });

    it('evaluates the rules after a conditional denial, and passes if none of them grants access', () => {
      const denial = accessRule({ access: 'DENY', conditions: ['groups'], factorMode: '1FA' });
      const next = (rule: Partial<AccessRule>) =>
        accessRule({ id: 'rul2', name: 'Rest', priority: 2, ...rule });
      assert.equal(evaluateRules(denial, next({ conditions: [] }))[0]?.status, 'PASS');
      const weak = evaluateRules(denial, next({ ...BAD, name: 'Rest', priority: 2 }));
      assert.equal(weak[0]?.status, 'FAIL');
      assert.match(detailOf(weak), /"Rest" \(priority 2\)/);
      const closed = evaluateRules(denial, catchAllRule());
      assert.equal(closed[0]?.status, 'PASS');
      assert.match(detailOf(closed), /"Staff" \(priority 1\), which denies access\. /);
    });

    it('returns MANUAL for an unknown verification type unless another rule fails', () => {
      const proofing = accessRule({ verificationType: 'ID_PROOFING' });
      const verdicts = evaluateRules(proofing, catchAllRule());
      assert.equal(verdicts[0]?.status, 'MANUAL');
      assert.match(detailOf(verdicts), /uses the unsupported verification type ID_PROOFING/);
      assert.equal(evaluateRules(proofing, catchAllRule({ access: 'ALLOW' }))[0]?.status, 'FAIL');
    });

    it('treats a rule without a status as active', () => {
      assert.equal(evaluateRules(accessRule({ status: null }))[0]?.status, 'PASS');
    });

    it('evaluates a first-party app even if it is inactive', () => {
      assert.equal(visible([GOOD], { status: 'INACTIVE' })[0]?.status, 'PASS');
    });

    it('fails an app without a sign-on policy', () => {
      const verdicts = visible(null);
      assert.deepEqual(outline(verdicts), [['FAIL', '0oa1', of.name]]);
      assert.match(detailOf(verdicts), /^No sign-on policy is assigned to the app .*\. Required: /);
    });

    it('fails an app whose policy has no active rules', () => {
      assert.match(detailOf(visible([])), /has no active rules\. Required: /);
      const verdicts = evaluateRules(accessRule({ status: 'INACTIVE' }));
      assert.equal(verdicts[0]?.status, 'FAIL');
      assert.match(detailOf(verdicts), /has no active rules/);
    });

    it('returns MANUAL and recommends the Super Administrator role if the app is not visible', () => {
      const verdicts = evaluate(read(undefined));
      assert.deepEqual(outline(verdicts), [['MANUAL', 'directory-built-in-app-missing', '(app not found)']]);
      assert.match(detailOf(verdicts), /returns first-party apps only to the Super Administrator role/);
      assert.match(detailOf(verdicts), new RegExp(`${of.name}`));
    });

    it('returns MANUAL and recommends the Super Administrator role if reading the app returns 403', () => {
      const verdicts = evaluate(accessDenied());
      assert.deepEqual(outline(verdicts), [
        ['MANUAL', 'directory-built-in-app-retrieval-error', '(retrieval failed)'],
      ]);
      assert.match(detailOf(verdicts), /403 \(E0000006.*only to the Super Administrator role/);
    });

    it('returns MANUAL and reports the missing scope if apps or policies could not be read', () => {
      const apps = evaluate(scopeMissing('directory.apps.read'));
      const placeholder = ['MANUAL', 'directory-built-in-app-scope-missing', '(scope not granted)'];
      assert.deepEqual(outline(apps), [placeholder]);
      assert.match(detailOf(apps), /Grant the scope directory\.apps\.read/);
      const policies = visible(scopeMissing('directory.policies.read'));
      assert.deepEqual(outline(policies), [placeholder]);
      assert.match(detailOf(policies), /Grant the scope directory\.policies\.read/);
    });

    it('returns MANUAL for an app if its policy rules could not be read', () => {
      const verdicts = visible(failed('failed', 'GET /rules returned 500'));
      assert.deepEqual(outline(verdicts), [['MANUAL', '0oa1', of.name]]);
      assert.match(detailOf(verdicts), /^The sign-on policy rules of the app .* GET \/rules returned 500/);
      assert.equal(visible(accessDenied())[0]?.status, 'MANUAL');
    });

    it("uses the vendor's product name in the finding", () => {
      assert.match(detailOf(evaluate(read(undefined), 'okta')), new RegExp(`^The app Okta ${of.title}`));
    });
  });
}
