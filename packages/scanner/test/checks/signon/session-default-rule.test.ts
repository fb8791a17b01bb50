import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as cookies } from '../../../src/checks/signon/signon-global-session-cookies-not-persistent.ts';
import { check as idle } from '../../../src/checks/signon/signon-global-session-idle-timeout-15min.ts';
import { check as lifetime } from '../../../src/checks/signon/signon-global-session-lifetime-18h.ts';
import { read } from '../../../src/directory/read-result.ts';
import { evaluated, sessionPolicy, sessionRule } from '../snapshots.ts';

for (const check of [idle, lifetime, cookies]) {
  describe(`${check.id}: default rule`, () => {
    for (const rule of [
      sessionRule({ name: 'Default Rule' }),
      sessionRule({ name: 'Renamed', system: true }),
    ]) {
      it(`fails the default rule "${rule.name}" at priority 1, regardless of its limits`, () => {
        const [verdict] = check.evaluate(evaluated({ sessionPolicies: read([sessionPolicy([rule])]) }));
        assert.equal(verdict?.status, 'FAIL');
        assert.match(
          verdict?.detail ?? '',
          new RegExp(`built-in default rule "${rule.name}"\\. Required: a non-default rule at priority 1`),
        );
      });
    }

    it('recognizes the default rule by its exact name', () => {
      const rule = sessionRule({ name: 'default rule' });
      const [verdict] = check.evaluate(evaluated({ sessionPolicies: read([sessionPolicy([rule])]) }));
      assert.equal(verdict?.status, 'PASS');
    });
  });
}
