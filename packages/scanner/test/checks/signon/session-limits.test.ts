import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check as idle } from '../../../src/checks/signon/signon-global-session-idle-timeout-15min.ts';
import { check as lifetime } from '../../../src/checks/signon/signon-global-session-lifetime-18h.ts';
import { read } from '../../../src/directory/read-result.ts';
import { evaluated, sessionPolicy, sessionRule } from '../snapshots.ts';

const LIMITS = [
  {
    check: idle,
    subject: 'The idle timeout',
    limit: 15,
    rule: (value: number | null) => sessionRule({ maxSessionIdleMinutes: value }),
    lessStrict: { maxSessionIdleMinutes: 1440 },
  },
  {
    check: lifetime,
    subject: 'The session lifetime',
    limit: 1080,
    rule: (value: number | null) => sessionRule({ maxSessionLifetimeMinutes: value }),
    lessStrict: { maxSessionLifetimeMinutes: 1440 },
  },
] as const;

for (const { check, subject, limit, rule, lessStrict } of LIMITS) {
  describe(`${check.id}: the limit`, () => {
    const evaluate = (value: number | null, thresholds = {}) => {
      const sessionPolicies = read([sessionPolicy([rule(value)])]);
      const [verdict] = check.evaluate(evaluated({ sessionPolicies }, thresholds));
      return `${verdict?.status}: ${verdict?.detail}`;
    };
    const start = `${subject} in the non-default rule "Office" of global session policy "Default Policy" (priority 99, default)`;

    it('passes a session limit at or below the threshold', () => {
      assert.equal(
        evaluate(limit),
        `PASS: ${start} is ${limit} minutes, which is within the limit of ${limit} minutes.`,
      );
      assert.equal(evaluate(1), `PASS: ${start} is 1 minute, which is within the limit of ${limit} minutes.`);
    });

    it('fails a session limit above the threshold', () => {
      assert.equal(
        evaluate(limit + 1),
        `FAIL: ${start} is ${limit + 1} minutes, which exceeds the limit of ${limit} minutes.`,
      );
    });

    it('fails an undefined session limit', () => {
      assert.equal(
        evaluate(null),
        `FAIL: ${start} is not defined. A limit of 1 to ${limit} minutes is required.`,
      );
    });

    it('fails a session limit of 0, which means no limit', () => {
      assert.equal(
        evaluate(0),
        `FAIL: ${start} is 0 minutes, which disables the limit. A limit of 1 to ${limit} minutes is required.`,
      );
    });

    it('uses the configured session threshold', () => {
      assert.match(evaluate(1440), /^FAIL/);
      assert.match(evaluate(1440, lessStrict), /^PASS: .* within the limit of 1440 minutes/);
      assert.match(evaluate(0, lessStrict), /^FAIL/);
    });
  });
}
