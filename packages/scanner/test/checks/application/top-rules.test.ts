import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as consoleFactors } from '../../../src/checks/application/application-admin-console-mfa-required.ts';
import { check as consolePhishing } from '../../../src/checks/application/application-admin-console-phishing-resistant-authentication.ts';
import { check as dashboardFactors } from '../../../src/checks/application/application-dashboard-mfa-required.ts';
import { check as dashboardPhishing } from '../../../src/checks/application/application-dashboard-phishing-resistant-authentication.ts';
import { read } from '../../../src/directory/read.ts';
import type { AccessRule } from '../../../src/directory/snapshot.ts';
import { accessRule, app, judged } from '../snapshots.ts';

/** Both apps, because each check declares its own. */
const bothApps = (rule: AccessRule) => {
  const found = read(app([rule]));
  return judged({ adminConsoleApp: found, dashboardApp: found });
};

for (const check of [consoleFactors, dashboardFactors]) {
  describe(`${check.id}: the factor mode`, () => {
    const judge = (overrides: Partial<AccessRule>) => {
      const [verdict] = check.judge(bothApps(accessRule(overrides)));
      return `${verdict?.status}: ${verdict?.detail}`;
    };

    it('passes 2FA, with or without a phishing-resistant factor', () => {
      assert.match(
        judge({ phishingResistant: [] }),
        /^PASS: .* has factor mode 2FA; required is factor mode 2FA/,
      );
    });

    it('fails any other factor mode, and shows it', () => {
      assert.match(
        judge({ factorMode: '1FA' }),
        /^FAIL: .* has factor mode 1FA; required is factor mode 2FA/,
      );
      assert.match(judge({ factorMode: null }), /^FAIL: .* has factor mode unset/);
      assert.match(judge({ factorMode: '' }), /^FAIL: .* has factor mode unset/);
      assert.match(judge({ factorMode: '2fa' }), /^FAIL: .* has factor mode 2fa/);
    });
  });
}

for (const check of [consolePhishing, dashboardPhishing]) {
  describe(`${check.id}: the constraints`, () => {
    const judge = (...phishingResistant: (string | null)[]) => {
      const [verdict] = check.judge(bothApps(accessRule({ phishingResistant, factorMode: '1FA' })));
      return `${verdict?.status}: ${verdict?.detail}`;
    };

    it('passes a rule with a phishing-resistant constraint, whatever the factor mode', () => {
      assert.match(
        judge('REQUIRED'),
        /^PASS: .* phishing-resistant possession factor in 1 of its 1 constraint; /,
      );
      assert.match(judge(null, 'REQUIRED'), /^PASS: .* in 1 of its 2 constraints; required is at least 1 /);
    });

    it('fails a rule whose phishing-resistant constraint is optional, unset or misspelled', () => {
      assert.match(
        judge('OPTIONAL'),
        /^FAIL: .* in 0 of its 1 constraint; required is at least 1 constraint/,
      );
      assert.match(judge(null), /^FAIL: .* in 0 of its 1 constraint/);
      assert.match(judge('required', 'OPTIONAL'), /^FAIL: .* in 0 of its 2 constraints/);
    });

    it('fails a rule without constraints', () => {
      assert.match(judge(), /^FAIL: .* has no constraints; required is /);
    });
  });
}
