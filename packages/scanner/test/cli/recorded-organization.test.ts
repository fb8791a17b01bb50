import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { z } from 'zod';
import { CLIENT_KEY } from '../../../directory-emulator/test/support/client-key.ts';
import { SKIP_WITHOUT_OKTA_REFERENCE } from '../../../directory-emulator/test/support/okta-reference.ts';
import { serveRecordings } from '../directory/support/recorded-organization.ts';
import { makeFolder, runProgramHere } from './run-scanner.ts';
import { FAST } from './scan-folder.ts';

const recordsSchema = z.array(
  z.object({ metadata: z.object({ event_code: z.string() }), status_code: z.string() }),
);

/** The expected verdict of each check for the recorded responses, with the reason. */
const EXPECTED: Readonly<Record<string, readonly [verdicts: string, reason: string]>> = {
  signon_global_session_idle_timeout_15min: ['2 FAIL', 'the active rule has maxSessionIdleMinutes 720'],
  signon_global_session_lifetime_18h: ['2 FAIL', 'maxSessionLifetimeMinutes 0 means no limit'],
  signon_global_session_cookies_not_persistent: ['2 PASS', 'usePersistentCookie is false'],
  signon_global_session_policy_network_zone_enforced: ['2 FAIL', 'the connection is ANYWHERE'],
  signon_dod_warning_banner_configured: ['4 FAIL', 'the customized page has a widget and no banner'],
  application_admin_console_session_idle_timeout_15min: ['1 PASS', 'sessionIdleTimeoutMinutes is 15'],
  application_admin_console_mfa_required: ['1 FAIL', 'the catch-all rule allows access with factorMode 1FA'],
  application_admin_console_phishing_resistant_authentication: ['1 FAIL', 'the rule has no constraints'],
  application_dashboard_mfa_required: ['1 FAIL', 'the catch-all rule allows access with factorMode 1FA'],
  application_dashboard_phishing_resistant_authentication: ['1 FAIL', 'the rule has no constraints'],
  application_authentication_policy_network_zone_enforced: [
    '16 FAIL',
    'active apps have only the catch-all rule, or no access policy',
  ],
  authenticator_password_minimum_length_15: ['2 FAIL', 'minLength is 8'],
  authenticator_password_complexity_uppercase: ['2 PASS', 'minUpperCase is 1'],
  authenticator_password_complexity_lowercase: ['2 PASS', 'minLowerCase is 1'],
  authenticator_password_complexity_number: ['2 PASS', 'minNumber is 1'],
  authenticator_password_complexity_symbol: ['2 FAIL', 'minSymbol is 0'],
  authenticator_password_minimum_age_24h: ['2 FAIL', 'minAgeMinutes is 0'],
  authenticator_password_maximum_age_60d: ['2 FAIL', 'maxAgeDays 0 means no limit'],
  authenticator_password_history_5: ['2 FAIL', 'historyCount is 4'],
  authenticator_password_lockout_threshold_3: ['2 FAIL', 'maxAttempts is 10'],
  authenticator_password_common_password_check: ['2 FAIL', 'dictionary.common.exclude is false'],
  authenticator_directory_verify_fips_compliant: ['1 FAIL', 'compliance.fips is OPTIONAL'],
  authenticator_smart_card_active: ['1 FAIL', 'no authenticator has the key smart_card_idp'],
  apitoken_not_super_admin: ['6 PASS', 'the roles are USER_ADMIN and, through groups, APP_ADMIN'],
  apitoken_restricted_to_network_zone: ['6 FAIL', 'the connection is ANYWHERE'],
  idp_smart_card_dod_approved_ca: ['1 FAIL', 'no identity provider has the type X509'],
  network_zone_block_anonymized_proxies: ['1 FAIL', 'the only blocklist has gateways null and proxies null'],
  systemlog_streaming_enabled: ['1 PASS', 'one of the log streams is ACTIVE'],
  user_inactivity_automation_35d_enabled: [
    '1 MANUAL',
    'automations were not recorded, so requests for them return 404',
  ],
};

/** In an Okta scan, check IDs can contain `okta_verify`. */
const inDirectoryWords = (id: string) => id.replace('_okta_verify_', '_directory_verify_');

it('returns the expected verdicts for recorded Okta API responses without errors', {
  skip: SKIP_WITHOUT_OKTA_REFERENCE,
}, async (context) => {
  const organization = await serveRecordings(context);
  const { folder, remove } = await makeFolder();
  context.after(remove);
  const args = [
    '--dialect',
    'okta',
    '--log-level',
    'WARNING',
    '-b',
    '-M',
    'json-ocsf',
    '-o',
    '.',
    '-F',
    'scan',
  ];
  const env = {
    DIRECTORY_ORG_URL: organization.url,
    DIRECTORY_CLIENT_ID: '0oaRecorded',
    DIRECTORY_PRIVATE_KEY: CLIENT_KEY,
  };
  const { code, stderr } = await runProgramHere(['directory', FAST, ...args], { cwd: folder, env });
  assert.deepEqual({ code, stderr }, { code: 3, stderr: '' });
  assert.deepEqual(organization.notRecorded, ['/api/v1/policies?type=USER_LIFECYCLE&limit=200']);

  const records = recordsSchema.parse(
    JSON.parse(await readFile(path.join(folder, 'scan.ocsf.json'), 'utf8')),
  );
  const found: Record<string, string> = {};
  for (const [id, verdicts] of Map.groupBy(records, ({ metadata }) => inDirectoryWords(metadata.event_code)))
    found[id] = [...Map.groupBy(verdicts, ({ status_code }) => status_code)]
      .map(([status, of]) => `${of.length} ${status}`)
      .join(', ');
  const expected = Object.entries(EXPECTED).map(([id, [verdicts]]) => [id, verdicts]);
  assert.deepEqual(found, Object.fromEntries(expected));
});
