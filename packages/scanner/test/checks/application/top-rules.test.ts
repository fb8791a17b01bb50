import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as consoleFactors } from '../../../src/checks/application/application-admin-console-mfa-required.ts';
import { check as consolePhishing } from '../../../src/checks/application/application-admin-console-phishing-resistant-authentication.ts';
import { check as dashboardFactors } from '../../../src/checks/application/application-dashboard-mfa-required.ts';
import { check as dashboardPhishing } from '../../../src/checks/application/application-dashboard-phishing-resistant-authentication.ts';
import { read } from '../../../src/directory/read-result.ts';
import type { AccessRule, AuthenticationMethod, ChainStep } from '../../../src/directory/snapshot.ts';
import { accessRule, app, evaluated } from '../snapshots.ts';

/** A snapshot with both first-party apps. Each check uses one of them. */
const bothApps = (rule: AccessRule) => {
  const found = read(app([rule]));
  return evaluated({ adminConsoleApp: found, dashboardApp: found });
};

for (const check of [consoleFactors, dashboardFactors]) {
  describe(`${check.id}: factor mode`, () => {
    const evaluate = (overrides: Partial<AccessRule>) => {
      const [verdict] = check.evaluate(bothApps(accessRule(overrides)));
      return `${verdict?.status}: ${verdict?.detail}`;
    };

    it('passes 2FA, with or without a phishing-resistant factor', () => {
      assert.match(
        evaluate({ phishingResistant: [] }),
        /^PASS: .* has factor mode 2FA\. Required: factor mode 2FA/,
      );
    });

    it('fails any factor mode other than 2FA and reports the mode', () => {
      assert.match(
        evaluate({ factorMode: '1FA' }),
        /^FAIL: .* has factor mode 1FA\. Required: factor mode 2FA/,
      );
      assert.match(evaluate({ factorMode: null }), /^FAIL: .* has factor mode unset/);
      assert.match(evaluate({ factorMode: '' }), /^FAIL: .* has factor mode unset/);
      assert.match(evaluate({ factorMode: '2fa' }), /^FAIL: .* has factor mode 2fa/);
    });
  });
}

for (const check of [consolePhishing, dashboardPhishing]) {
  describe(`${check.id}: the constraints`, () => {
    const evaluate = (...phishingResistant: (string | null)[]) => {
      const [verdict] = check.evaluate(bothApps(accessRule({ phishingResistant, factorMode: '1FA' })));
      return `${verdict?.status}: ${verdict?.detail}`;
    };

    it('passes a rule with a phishing-resistant factor in every constraint, regardless of the factor mode', () => {
      assert.match(
        evaluate('REQUIRED'),
        /^PASS: .* phishing-resistant possession factor in 1 of 1 constraints\. /,
      );
      assert.match(evaluate('REQUIRED', 'REQUIRED'), /^PASS: .* in 2 of 2 constraints\. Required: a /);
    });

    it('fails a rule with one weaker constraint, because constraints are alternatives', () => {
      assert.match(evaluate('REQUIRED', null), /^FAIL: .* in 1 of 2 constraints\. Required: a /);
      assert.match(evaluate('OPTIONAL'), /^FAIL: .* in 0 of 1 constraints\. /);
      assert.match(evaluate(null), /^FAIL: .* in 0 of 1 constraints/);
      assert.match(evaluate('required', 'OPTIONAL'), /^FAIL: .* in 0 of 2 constraints/);
    });

    it('fails a rule without constraints on authenticators', () => {
      assert.match(evaluate(), /^FAIL: .* has no constraints\. Required: /);
    });
  });
}

describe('authentication method chains', () => {
  const method = (name: string, overrides: Partial<AuthenticationMethod> = {}): AuthenticationMethod => ({
    key: `okta_${name}`,
    method: name,
    phishingResistant: null,
    userVerification: null,
    ...overrides,
  });
  const step = (methods: readonly (string | AuthenticationMethod)[], ...next: ChainStep[]): ChainStep => ({
    methods: methods.map((one) => (typeof one === 'string' ? method(one) : one)),
    next,
  });
  const evaluate = (...chains: ChainStep[]) => {
    const rule = accessRule({
      verificationType: 'AUTH_METHOD_CHAIN',
      factorMode: null,
      phishingResistant: [],
      chains,
    });
    const statuses = [consoleFactors, consolePhishing].map(
      (check) => check.evaluate(bothApps(rule))[0]?.status,
    );
    return statuses.join(' ');
  };
  const verified = (name: string) => method(name, { userVerification: 'REQUIRED' });

  // The expected statuses of the two-factor check and the phishing-resistance check.
  for (const [description, expected, chains] of [
    ['a password', 'FAIL FAIL', [step(['password'])]],
    ['a password, then an email', 'PASS FAIL', [step(['password'], step(['email']))]],
    ['a password, then a security question', 'FAIL FAIL', [step(['password'], step(['security_question']))]],
    ['an identity provider, then a password', 'FAIL FAIL', [step(['idp'], step(['password']))]],
    ['a push notification, then a text message', 'FAIL FAIL', [step(['push'], step(['sms']))]],
    ['a security key', 'FAIL PASS', [step(['webauthn'])]],
    ['a security key with user verification', 'PASS PASS', [step([verified('webauthn')])]],
    ['a push notification with user verification', 'PASS FAIL', [step([verified('push')])]],
    ['a password, with user verification', 'FAIL FAIL', [step([verified('password')])]],
    ['a password, then FastPass', 'PASS PASS', [step(['password'], step(['signed_nonce']))]],
    [
      'a password, then FastPass or a text message',
      'PASS FAIL',
      [step(['password'], step(['signed_nonce', 'sms']))],
    ],
    ['a password, then two branches', 'PASS FAIL', [step(['password'], step(['webauthn']), step(['totp']))]],
    [
      'two branches, one without an additional factor class',
      'FAIL FAIL',
      [step(['password'], step(['cert']), step(['idp']))],
    ],
    ['two chains, including a weak chain', 'FAIL FAIL', [step([verified('webauthn')]), step(['password'])]],
    ['three steps', 'PASS PASS', [step(['password'], step(['email'], step(['cert'])))]],
    ['an unknown method', 'MANUAL MANUAL', [step(['beam'])]],
    [
      'an unknown method between known methods',
      'PASS PASS',
      [step(['password'], step(['beam'], step(['webauthn'])))],
    ],
    ['an unknown method as an alternative to a weak method', 'FAIL FAIL', [step(['beam', 'password'])]],
    [
      'an unknown method with required phishing resistance',
      'MANUAL PASS',
      [step([method('beam', { phishingResistant: 'REQUIRED' })])],
    ],
  ] as const) {
    it(`evaluates ${description} by the weakest alternative: ${expected}`, () => {
      assert.equal(evaluate(...chains), expected);
    });
  }

  it("reports a chain's weakest or unrecognized alternative", () => {
    const detail = (chains: readonly ChainStep[] | null) =>
      consoleFactors.evaluate(bothApps(accessRule({ verificationType: 'AUTH_METHOD_CHAIN', chains })))[0]
        ?.detail;
    assert.match(
      detail([step(['password'], step(['security_question']))]) ?? '',
      /which can be satisfied with the authentication method chain okta_password\/password, then okta_security_question\/security_question\. Required: /,
    );
    assert.match(detail([step(['beam'])]) ?? '', /does not recognize okta_beam\/beam\. /);
    assert.match(detail(null) ?? '', /has unreadable authentication method chains\. /);
  });

  it('evaluates authentication method chains with too many paths to enumerate', () => {
    const names = ['password', 'sms', 'webauthn', 'email', 'idp', 'push', 'totp', 'cert'];
    const unknown = Array.from({ length: 20 }, (_, at) => `beam-${at}`);
    let [known, withUnknown] = [step(names), step(names)];
    for (let depth = 0; depth < 200; depth++) {
      known = step(names, known);
      withUnknown = step([...names, ...unknown], withUnknown);
    }
    assert.equal(evaluate(known), 'FAIL FAIL');
    assert.equal(evaluate(withUnknown), 'FAIL FAIL');
  });
});
