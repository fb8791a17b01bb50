import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL_CHECKS } from '../../src/checks/all-checks.ts';
import { CIS_CONTROLS } from '../../src/compliance/cis-controls.ts';
import { DIALECTS } from '../../src/directory/dialect.ts';

/** Worked out by hand from the text of each safeguard. */
const EXPECTED = {
  '4.3': [
    'application_admin_console_session_idle_timeout_15min',
    'signon_global_session_cookies_not_persistent',
    'signon_global_session_idle_timeout_15min',
    'signon_global_session_lifetime_18h',
  ],
  '5.2': [
    'authenticator_password_common_password_check',
    'authenticator_password_complexity_lowercase',
    'authenticator_password_complexity_number',
    'authenticator_password_complexity_symbol',
    'authenticator_password_complexity_uppercase',
    'authenticator_password_history_5',
    'authenticator_password_minimum_length_15',
  ],
  '5.3': ['user_inactivity_automation_35d_enabled'],
  '5.4': ['apitoken_not_super_admin'],
  '6.3': ['application_dashboard_mfa_required', 'application_dashboard_phishing_resistant_authentication'],
  '6.5': [
    'application_admin_console_mfa_required',
    'application_admin_console_phishing_resistant_authentication',
  ],
  '8.2': ['systemlog_streaming_enabled'],
  '8.9': ['systemlog_streaming_enabled'],
  '8.12': ['systemlog_streaming_enabled'],
};

describe('the CIS Controls', () => {
  it('map 18 of the 29 checks to the nine safeguards that a directory provides evidence for', () => {
    for (const dialect of Object.values(DIALECTS)) {
      const checksOf = new Map<string, string[]>();
      for (const check of ALL_CHECKS) {
        for (const { id } of CIS_CONTROLS.requirements(check, dialect))
          checksOf.set(id, [...(checksOf.get(id) ?? []), check.id]);
      }
      assert.deepEqual(Object.fromEntries(checksOf), EXPECTED);
      assert.equal(new Set([...checksOf.values()].flat()).size, 18);
    }
  });

  it('are listed in the guide with the checks of each safeguard', () => {
    const guide = readFileSync(new URL('../../../../docs/directory-setup.md', import.meta.url), 'utf8');
    const rows = guide.split('\n').filter((line) => /^\| \d+\.\d+ /.test(line));
    const listed = rows.flatMap((row) => {
      const checks = [...row.matchAll(/`(\w+)`/g)].map(([, id]) => id).sort();
      const safeguards = row.split('|')[1]?.match(/\d+\.\d+/g) ?? [];
      return safeguards.map((id) => [id, checks] as const);
    });
    assert.deepEqual(Object.fromEntries(listed), EXPECTED);
  });

  it('give each requirement a value for every attribute of the CSV', () => {
    const all = ALL_CHECKS.flatMap((check) => CIS_CONTROLS.requirements(check, DIALECTS.directory));
    for (const { id, attributes } of all) {
      assert.deepEqual(Object.keys(attributes), CIS_CONTROLS.attributes);
      assert.ok(attributes.SECTION?.startsWith(`${id.split('.')[0]} `), `${id} ${attributes.SECTION}`);
    }
  });
});
