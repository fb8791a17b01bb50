import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as cookies } from '../../../src/checks/signon/signon-global-session-cookies-not-persistent.ts';
import { check as idle } from '../../../src/checks/signon/signon-global-session-idle-timeout-15min.ts';
import { check as lifetime } from '../../../src/checks/signon/signon-global-session-lifetime-18h.ts';
import { check as zone } from '../../../src/checks/signon/signon-global-session-policy-network-zone-enforced.ts';
import { type Read, read } from '../../../src/directory/read-result.ts';
import type { SessionPolicy, SessionRule } from '../../../src/directory/snapshot.ts';
import { ANYWHERE, evaluated, outline, sessionPolicy, sessionRule } from '../snapshots.ts';

const GOOD = sessionRule();
const BAD = sessionRule({
  maxSessionIdleMinutes: 16,
  maxSessionLifetimeMinutes: 1081,
  usePersistentCookie: true,
  network: ANYWHERE,
});
const CUSTOM = { id: 'pol2', name: 'Contractors', priority: 1, system: false };

for (const check of [idle, lifetime, cookies, zone]) {
  describe(check.id, () => {
    const evaluateRead = (sessionPolicies: Read<readonly SessionPolicy[]>) =>
      check.evaluate(evaluated({ sessionPolicies }));
    const evaluate = (...policies: SessionPolicy[]) => evaluateRead(read(policies));
    const evaluateRules = (...rules: SessionRule[]) => evaluate(sessionPolicy(rules));
    const detailOf = ([verdict]: ReturnType<typeof evaluate>) => verdict?.detail ?? '';

    it('passes a policy whose rule at priority 1 complies', () => {
      const policy = sessionPolicy([GOOD]);
      const verdicts = evaluate(policy);
      assert.deepEqual(outline(verdicts), [['PASS', 'pol1', 'Default Policy']]);
      assert.equal(verdicts[0]?.resource.data, policy);
      assert.match(
        detailOf(verdicts),
        /"Office" of global session policy "Default Policy" \(priority 99, default\)/,
      );
    });

    it('fails a default or custom policy whose rule at priority 1 does not comply', () => {
      const verdicts = evaluate(sessionPolicy([BAD], CUSTOM));
      assert.deepEqual(outline(verdicts), [['FAIL', 'pol2', 'Contractors']]);
      assert.match(detailOf(verdicts), /"Contractors" \(priority 1, custom\)/);
    });

    it('fails an organization without session policies', () => {
      const verdicts = evaluate();
      assert.deepEqual(outline(verdicts), [
        ['FAIL', 'signon-policies-missing', '(no active sign-on policies)'],
      ]);
      assert.match(
        detailOf(verdicts),
        /^Directory returned no active global session policies\. Required: .*rule at priority 1/,
      );
      assert.equal(verdicts[0]?.resource.data, null);
    });

    it('fails an organization whose session policies are all inactive', () => {
      const verdicts = evaluate(sessionPolicy([GOOD], { status: 'INACTIVE' }));
      assert.deepEqual(outline(verdicts), [
        ['FAIL', 'signon-policies-missing', '(no active sign-on policies)'],
      ]);
      assert.match(detailOf(verdicts), /no active global session policies/);
    });

    it('ignores inactive policies and evaluates active policies in priority order', () => {
      const verdicts = evaluate(
        sessionPolicy([GOOD]),
        sessionPolicy([BAD], { ...CUSTOM, id: 'pol3', name: 'Retired', status: 'INACTIVE' }),
        sessionPolicy([BAD], CUSTOM),
      );
      assert.deepEqual(outline(verdicts), [
        ['FAIL', 'pol2', 'Contractors'],
        ['PASS', 'pol1', 'Default Policy'],
      ]);
    });

    it('sorts policies without a priority last, and policies with the same priority by name', () => {
      const policy = (id: string, name: string, priority: number | null) =>
        sessionPolicy([GOOD], { id, name, priority });
      const verdicts = evaluate(
        policy('a', 'Z', null),
        policy('b', 'Y', null),
        policy('c', 'X', 2),
        policy('d', 'W', 2),
      );
      assert.deepEqual(
        verdicts.map(({ resource }) => resource.id),
        ['d', 'c', 'b', 'a'],
      );
      assert.match(verdicts[3]?.detail ?? '', /\(priority unset, default\)/);
    });

    it('treats a policy or rule without a status as active', () => {
      const rule = sessionRule({ status: null });
      assert.equal(evaluate(sessionPolicy([rule], { status: null }))[0]?.status, 'PASS');
      assert.equal(evaluate(sessionPolicy([rule], { status: '' }))[0]?.resource.id, 'pol1');
      assert.equal(evaluateRules(sessionRule({ status: 'active' }))[0]?.status, 'PASS');
    });

    for (const [name, rules] of [
      ['only a compliant rule at priority 2', [sessionRule({ priority: 2 })]],
      ['a compliant rule at priority 0', [sessionRule({ priority: 0 })]],
      ['a compliant rule without a priority', [sessionRule({ priority: null })]],
      [
        'an inactive rule at priority 1 and a compliant rule at priority 2',
        [{ ...GOOD, status: 'INACTIVE' }, sessionRule({ priority: 2 })],
      ],
      ['no rules', []],
    ] as const) {
      it(`fails a policy with ${name}, because no active rule has priority 1`, () => {
        const verdicts = evaluateRules(...rules);
        assert.deepEqual(outline(verdicts), [['FAIL', 'pol1', 'Default Policy']]);
        assert.match(detailOf(verdicts), /has no active rule at priority 1\. Required: .*rule at priority 1/);
      });
    }

    it('fails a non-compliant rule at priority 1 even if the next rule complies', () => {
      assert.equal(evaluateRules(BAD, sessionRule({ id: 'rul2', priority: 2 }))[0]?.status, 'FAIL');
    });
  });
}
