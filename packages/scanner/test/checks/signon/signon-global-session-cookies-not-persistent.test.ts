import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/signon/signon-global-session-cookies-not-persistent.ts';
import { read } from '../../../src/directory/read-result.ts';
import { evaluated, sessionPolicy, sessionRule } from '../snapshots.ts';

describe('signon_global_session_cookies_not_persistent: cookie setting', () => {
  const evaluate = (usePersistentCookie: boolean | null) => {
    const sessionPolicies = read([sessionPolicy([sessionRule({ usePersistentCookie })])]);
    const [verdict] = check.evaluate(evaluated({ sessionPolicies }));
    return `${verdict?.status}: ${verdict?.detail}`;
  };

  it('passes a rule that disables persistent cookies', () => {
    assert.match(
      evaluate(false),
      /^PASS: The session cookies in the non-default rule "Office" .* are not persistent/,
    );
  });

  it('fails a rule that enables persistent cookies', () => {
    assert.match(evaluate(true), /^FAIL: .* are persistent, so a session survives a browser restart/);
  });

  it('fails a rule without the cookie setting', () => {
    assert.match(evaluate(null), /^FAIL: The session cookies .* have no persistence setting/);
  });
});
