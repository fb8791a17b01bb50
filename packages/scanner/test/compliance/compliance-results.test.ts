import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Thresholds } from '../../src/checks/check.ts';
import { type LimitName, STIG_LIMITS } from '../../src/checks/stig-limits.ts';
import { CIS_CONTROLS } from '../../src/compliance/cis-controls.ts';
import { STIG } from '../../src/compliance/stig.ts';
import { finding, resultIn } from '../outputs/support/findings.ts';

const passed = (name: LimitName) => [finding({ check: { id: STIG_LIMITS[name].check }, status: 'PASS' })];
const statusIn = (framework: typeof STIG, name: LimitName, limits: Partial<Thresholds>) =>
  resultIn(framework, passed(name), limits).findings.map(({ verdict }) => verdict.status);

describe('compliance results', () => {
  for (const name of [
    'maxSessionIdleMinutes',
    'maxSessionLifetimeMinutes',
    'adminConsoleMaxIdleMinutes',
    'maxInactivityDays',
  ] as const) {
    it(`fails a STIG requirement if and only if the configured ${name} is less strict than the STIG requires`, () => {
      const { max } = STIG_LIMITS[name];
      assert.deepEqual(statusIn(STIG, name, { [name]: max - 1 }), ['PASS']);
      assert.deepEqual(statusIn(STIG, name, { [name]: max }), ['PASS']);
      assert.deepEqual(statusIn(STIG, name, { [name]: max + 1 }), ['FAIL']);
    });
  }

  it("fails CIS Controls requirements if the configured limit exceeds the safeguard's limit", () => {
    assert.deepEqual(statusIn(CIS_CONTROLS, 'maxSessionIdleMinutes', { maxSessionIdleMinutes: 16 }), [
      'FAIL',
    ]);
    assert.deepEqual(statusIn(CIS_CONTROLS, 'maxInactivityDays', { maxInactivityDays: 45 }), ['PASS']);
    assert.deepEqual(statusIn(CIS_CONTROLS, 'maxInactivityDays', { maxInactivityDays: 46 }), ['FAIL']);
    const lifetime = { maxSessionLifetimeMinutes: 43_200 };
    assert.deepEqual(statusIn(CIS_CONTROLS, 'maxSessionLifetimeMinutes', lifetime), ['PASS']);
  });

  it('keeps the finding status in compliance results, even for muted findings', () => {
    const findings = [finding({ status: 'PASS' }), finding({ status: 'MANUAL', muted: true })];
    const result = resultIn(STIG, findings, { maxSessionLifetimeMinutes: 2000 });
    assert.deepEqual(
      findings.map(({ verdict }) => verdict.status),
      ['PASS', 'MANUAL'],
    );
    assert.deepEqual(
      result.findings.map(({ muted }) => muted),
      [false, true],
    );
  });

  it('contains only findings of checks that the framework covers', () => {
    const findings = [finding(), finding({ check: { id: 'authenticator_smart_card_active' } })];
    assert.equal(resultIn(STIG, findings).findings.length, 2);
    assert.equal(resultIn(CIS_CONTROLS, findings).findings.length, 1);
  });
});
