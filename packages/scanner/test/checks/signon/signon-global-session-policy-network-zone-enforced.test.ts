import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/signon/signon-global-session-policy-network-zone-enforced.ts';
import { read } from '../../../src/directory/read-result.ts';
import type { SessionRule } from '../../../src/directory/snapshot.ts';
import { ANYWHERE, evaluated, IN_ZONE, NOT_IN_ZONE, sessionPolicy, sessionRule } from '../snapshots.ts';

describe('signon_global_session_policy_network_zone_enforced: network zone', () => {
  const evaluate = (...rules: SessionRule[]) => {
    const [verdict] = check.evaluate(evaluated({ sessionPolicies: read([sessionPolicy(rules)]) }));
    return `${verdict?.status}: ${verdict?.detail}`;
  };
  const defaultRule = { name: 'Default Rule', system: true };

  it('passes a rule that includes a zone or denies access outside a zone', () => {
    assert.match(
      evaluate(sessionRule({ network: IN_ZONE })),
      /^PASS: .* includes 1 network zone and excludes 0/,
    );
    assert.match(
      evaluate(sessionRule({ network: NOT_IN_ZONE, access: 'DENY' })),
      /^PASS: .* includes 0 network zones and excludes 1/,
    );
  });

  it('fails a rule that allows access from everywhere except a zone', () => {
    assert.match(
      evaluate(sessionRule({ network: NOT_IN_ZONE })),
      /^FAIL: .* includes 0 network zones and excludes 1 network zone\. It must include at least one/,
    );
  });

  it('passes the built-in default rule with a zone and reports its name', () => {
    assert.match(
      evaluate(sessionRule({ ...defaultRule, network: IN_ZONE })),
      /^PASS: .* the built-in default rule "Default Rule"/,
    );
  });

  it('fails a rule at priority 1 without a zone, even if it is the default rule', () => {
    assert.match(
      evaluate(sessionRule({ network: ANYWHERE })),
      /^FAIL: .* non-default rule "Office" .* includes 0 network zones and excludes 0 network zones\. It must/,
    );
    assert.match(
      evaluate(sessionRule({ ...defaultRule, network: ANYWHERE })),
      /^FAIL: .* built-in default rule/,
    );
  });

  it('fails when only the rule at priority 2 has a zone', () => {
    const second = sessionRule({ id: 'rul2', name: 'Second', priority: 2 });
    assert.match(
      evaluate(second, sessionRule({ network: ANYWHERE })),
      /^FAIL: .* "Office" .* includes 0 network zones/,
    );
  });

  it('does not treat the connection type as a zone', () => {
    const network = { connection: 'ZONE', include: [], exclude: [] };
    assert.match(evaluate(sessionRule({ network })), /^FAIL/);
  });
});
