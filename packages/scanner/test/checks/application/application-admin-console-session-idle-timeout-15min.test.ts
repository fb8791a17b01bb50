import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../../src/checks/application/application-admin-console-session-idle-timeout-15min.ts';
import { type Read, read } from '../../../src/directory/read-result.ts';
import type { AdminConsoleSettings } from '../../../src/directory/snapshot.ts';
import { accessDenied, evaluated, failed, outline, scopeMissing } from '../snapshots.ts';

const ID = 'directory-admin-console-app-settings';
const NAME = 'Directory Admin Console (first-party app settings)';

describe('application_admin_console_session_idle_timeout_15min', () => {
  const evaluateRead = (adminConsoleSettings: Read<AdminConsoleSettings>, thresholds = {}) =>
    check.evaluate(evaluated({ adminConsoleSettings }, thresholds));
  const evaluate = (sessionIdleTimeoutMinutes: number | null, thresholds = {}) => {
    const verdicts = evaluateRead(read({ sessionIdleTimeoutMinutes }), thresholds);
    assert.deepEqual(outline(verdicts), [[verdicts[0]?.status, ID, NAME]]);
    return `${verdicts[0]?.status}: ${verdicts[0]?.detail}`;
  };
  const manual = (settings: Read<AdminConsoleSettings>) => {
    const verdicts = evaluateRead(settings);
    assert.deepEqual(outline(verdicts), [['MANUAL', ID, NAME]]);
    assert.match(verdicts[0]?.detail ?? '', /\(required: 1 to 15 minutes\) could not be read: /);
    return verdicts[0]?.detail ?? '';
  };

  it('passes an idle timeout of 15 minutes or less', () => {
    assert.equal(
      evaluate(15),
      'PASS: The idle timeout of the Directory Admin Console is 15 minutes, which is within the limit of 15 minutes.',
    );
    assert.match(evaluate(10), /^PASS: .* is 10 minutes/);
  });

  it('fails an idle timeout of more than 15 minutes', () => {
    assert.match(evaluate(16), /^FAIL/);
    assert.match(evaluate(60), /^FAIL: .* is 60 minutes, which exceeds the limit of 15 minutes/);
  });

  it('fails an undefined idle timeout or an idle timeout of 0, which means no limit', () => {
    assert.match(evaluate(null), /^FAIL: .* is not defined\. A limit of 1 to 15 minutes is required/);
    assert.match(evaluate(0), /^FAIL: .* is 0 minutes, which disables the limit/);
  });

  it('uses the configured idle timeout threshold', () => {
    const thresholds = { adminConsoleMaxIdleMinutes: 60 };
    assert.match(evaluate(30, thresholds), /^PASS: .* within the limit of 60 minutes/);
    assert.match(evaluate(0, thresholds), /^FAIL/);
  });

  it('returns MANUAL after a 403 and recommends the Super Administrator role', () => {
    const detail = manual(accessDenied());
    assert.match(detail, /403 \(E0000006/);
    assert.match(detail, /Assign the Super Administrator role to the service app and scan again/);
  });

  it('returns MANUAL after a 404, because the organization does not offer the setting', () => {
    const detail = manual(
      failed('not_offered', 'GET /api/v1/first-party-app-settings/admin-console returned 404'),
    );
    assert.match(detail, /returned 404.* does not offer this feature/);
    assert.doesNotMatch(detail, /Super Administrator/);
  });

  it('returns MANUAL and reports the reason for any other failure', () => {
    const detail = manual(failed('failed', 'GET /x returned 503'));
    assert.match(detail, /GET \/x returned 503/);
    assert.doesNotMatch(detail, /Super Administrator/);
  });

  it('returns MANUAL and reports the scope if it was not granted', () => {
    assert.match(manual(scopeMissing('directory.apps.read')), /Grant the scope directory\.apps\.read/);
  });

  it("uses the vendor's product name, but the same resource ID for all vendors", () => {
    const settings = read({ sessionIdleTimeoutMinutes: 15 });
    const verdicts = check.evaluate(evaluated({ adminConsoleSettings: settings }, {}, 'okta'));
    assert.deepEqual(outline(verdicts), [['PASS', ID, 'Okta Admin Console (first-party app settings)']]);
    assert.match(verdicts[0]?.detail ?? '', /the Okta Admin Console/);
  });
});
