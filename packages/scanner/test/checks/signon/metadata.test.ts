import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { check as consoleFactors } from '../../../src/checks/application/application-admin-console-mfa-required.ts';
import { check as consolePhishing } from '../../../src/checks/application/application-admin-console-phishing-resistant-authentication.ts';
import { check as consoleIdle } from '../../../src/checks/application/application-admin-console-session-idle-timeout-15min.ts';
import { check as appZones } from '../../../src/checks/application/application-authentication-policy-network-zone-enforced.ts';
import { check as dashboardFactors } from '../../../src/checks/application/application-dashboard-mfa-required.ts';
import { check as dashboardPhishing } from '../../../src/checks/application/application-dashboard-phishing-resistant-authentication.ts';
import type { CheckMetadata } from '../../../src/checks/check.ts';
import { check as banner } from '../../../src/checks/signon/signon-dod-warning-banner-configured.ts';
import { check as cookies } from '../../../src/checks/signon/signon-global-session-cookies-not-persistent.ts';
import { check as idle } from '../../../src/checks/signon/signon-global-session-idle-timeout-15min.ts';
import { check as lifetime } from '../../../src/checks/signon/signon-global-session-lifetime-18h.ts';
import { check as sessionZones } from '../../../src/checks/signon/signon-global-session-policy-network-zone-enforced.ts';

const SERVICES = {
  signon: [idle, lifetime, cookies, sessionZones, banner],
  application: [consoleIdle, consoleFactors, consolePhishing, dashboardFactors, dashboardPhishing, appZones],
} as const;

/**
 * The severity, followed by the requirement number, group, rule, category and control correlation identifiers from the
 * STIG (V1R2).
 */
const TABLE = `
signon_global_session_idle_timeout_15min medium 000020 V-273186 SV-273186r1098825_rule II 000057 001133
signon_global_session_lifetime_18h medium 001665 V-273203 SV-273203r1099958_rule II 002038
signon_global_session_cookies_not_persistent medium 001710 V-273206 SV-273206r1098885_rule II 002007 001942
signon_global_session_policy_network_zone_enforced medium 003242 V-279691 SV-279691r1155072_rule II 000213
signon_dod_warning_banner_configured informational 000200 V-273192 SV-273192r1098843_rule II 000048 000050 001384 001385 001386 001387 001388
application_admin_console_session_idle_timeout_15min medium 000025 V-273187 SV-273187r1098828_rule II 000057
application_admin_console_mfa_required high 000560 V-273193 SV-273193r1098846_rule I 000765 004046
application_admin_console_phishing_resistant_authentication medium 000190 V-273191 SV-273191r1099764_rule II 000044
application_dashboard_mfa_required high 000570 V-273194 SV-273194r1098849_rule I 000766 004046
application_dashboard_phishing_resistant_authentication medium 000180 V-273190 SV-273190r1099763_rule II 000044
application_authentication_policy_network_zone_enforced medium 003244 V-279693 SV-279693r1155078_rule II 001414
`;

const row = ({ id, severity, stig: { requirement, group, rule, category, ccis } }: CheckMetadata) =>
  [id, severity, requirement, group, rule, category.replace('CAT ', ''), ...ccis].join(' ');

describe('sign-on and application check metadata', () => {
  it('gives sign-on and application checks the severities and requirements from the STIG', () => {
    const rows = Object.values(SERVICES).flatMap((checks) => checks.map(row));
    assert.deepEqual(rows, TABLE.trim().split('\n'));
  });

  for (const [service, checks] of Object.entries(SERVICES)) {
    it(`has one file per check in src/checks/${service}, named after the check ID`, async () => {
      const folder = new URL(`../../../src/checks/${service}/`, import.meta.url);
      const files = (await readdir(folder)).filter((file) => file.startsWith(`${service}-`));
      const ids = checks.map(({ id }) => `${id.replaceAll('_', '-')}.ts`);
      assert.deepEqual(files.sort(), ids.sort());
      for (const check of checks) assert.equal(check.service, service);
    });

    for (const check of checks) {
      it(`describes ${check.id} in complete sentences without the product name`, () => {
        const { title, description, risk, remediation, notes } = check;
        for (const text of [description, risk, remediation, notes]) {
          assert.match(text, /^(?:[A-Z]|1\. ).{39,}[^ ]\.$/);
        }
        assert.match(title, /^[A-Z].{29,}[^ .]$/);
        assert.doesNotMatch([title, description, risk, remediation, notes].join(' '), /okta/i);
        assert.match(remediation, /1\. Sign in to the admin console and go to .* 2\. .* 3\. /);
      });

      it(`gives ${check.id} one to three references to vendor documentation or standards`, () => {
        assert.ok(check.references.length >= 1 && check.references.length <= 3);
        for (const reference of check.references) {
          const { protocol, hostname } = new URL(reference);
          assert.equal(protocol, 'https:');
          assert.match(
            hostname,
            /^(?:(?:help|developer)\.okta\.com|www\.stigviewer\.com|public\.cyber\.mil)$/,
          );
        }
      });
    }
  }
});
