import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { run } from '../../packages/server/test/support/process.ts';
import { OKTA_HOST, type PeerScans } from '../okta-scans.ts';
import { type PythonEnvironment, pythonEnvironment } from '../python-environment.ts';

const OKTA_SCANS = path.join(import.meta.dirname, '../okta-scans.ts');
/** Runs a command in a namespace with its own hosts file and no network except loopback. */
const NAMESPACE = ['unshare', '--map-root-user', '--mount', '--net', 'sh', '-c'];
const IN_NAMESPACE = 'ip link set lo up && mount --bind "$0" /etc/hosts && exec "$@"';

interface ScannerRecord {
  readonly metadata: { readonly event_code: string };
  readonly resources: readonly { readonly uid: string }[];
  readonly status_code: string;
}

/** Verdicts of Prowler and Sluice by `check resource`, and the reason why Sluice's verdict is correct. */
type Differences = Readonly<Record<string, readonly [prowler: string, sluice: string, reason: string]>>;

const FIRST_RULE_ONLY =
  'Prowler evaluates only the first rule and does not support method chains or rules that deny access.';
const NOT_APPLICABLE =
  'The connected Active Directory enforces password rules and disables users. The STIG calls this case "not applicable".';
const UNLIMITED = 'If the value is 0 or missing, there is no limit.';
const DEFAULT_PAGE =
  'If the customized page has no content, Okta shows the default page, which contains the banner.';

const AD_POLICY = '00pPasswordActiveDirectory';

const DIFFERENCES: Readonly<Record<'compliant' | 'mixed', Differences>> = {
  compliant: {
    'application_admin_console_mfa_required 0oaAdminConsole': ['FAIL', 'PASS', FIRST_RULE_ONLY],
    'application_admin_console_phishing_resistant_authentication 0oaAdminConsole': [
      'FAIL',
      'PASS',
      FIRST_RULE_ONLY,
    ],
    'application_dashboard_mfa_required 0oaDashboard': ['FAIL', 'PASS', FIRST_RULE_ONLY],
    'application_dashboard_phishing_resistant_authentication 0oaDashboard': ['FAIL', 'PASS', FIRST_RULE_ONLY],
    'signon_dod_warning_banner_configured bndInternal': ['MANUAL', 'PASS', DEFAULT_PAGE],
  },
  mixed: {
    'apitoken_not_super_admin 00TOwnerGone': [
      'PASS',
      'MANUAL',
      "The roles of the owner can't be read (404).",
    ],
    'application_admin_console_mfa_required 0oaAdminConsole': ['FAIL', 'PASS', FIRST_RULE_ONLY],
    'application_authentication_policy_network_zone_enforced 0oaActiveDirectory': [
      ...([
        'FAIL',
        'none',
        'Users do not sign in to this app: it is a connector without a signOnMode.',
      ] as const),
    ],
    'application_dashboard_mfa_required 0oaDashboard': ['PASS', 'FAIL', FIRST_RULE_ONLY],
    'application_dashboard_phishing_resistant_authentication 0oaDashboard': ['PASS', 'FAIL', FIRST_RULE_ONLY],
    [`authenticator_password_common_password_check ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    [`authenticator_password_complexity_lowercase ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    [`authenticator_password_complexity_number ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    [`authenticator_password_complexity_symbol ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    'authenticator_password_complexity_symbol 00pPasswordLegacy': ['PASS', 'FAIL', UNLIMITED],
    [`authenticator_password_complexity_uppercase ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    'authenticator_password_complexity_uppercase 00pPasswordLegacy': ['PASS', 'FAIL', UNLIMITED],
    [`authenticator_password_history_5 ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    [`authenticator_password_lockout_threshold_3 ${AD_POLICY}`]: ['PASS', 'MANUAL', NOT_APPLICABLE],
    'authenticator_password_lockout_threshold_3 00pPasswordLegacy': ['PASS', 'FAIL', UNLIMITED],
    [`authenticator_password_maximum_age_60d ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    [`authenticator_password_minimum_age_24h ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    [`authenticator_password_minimum_length_15 ${AD_POLICY}`]: ['FAIL', 'MANUAL', NOT_APPLICABLE],
    'network_zone_block_anonymized_proxies nzoBlockedOld': [
      ...(['none', 'MANUAL', 'A dynamic zone for Tor covers only some anonymizing proxies.'] as const),
    ],
    'network_zone_block_anonymized_proxies nzoOneService': [
      ...(['PASS', 'none', 'A blocklist with one VPN service does not cover anonymizing proxies.'] as const),
    ],
    'signon_dod_warning_banner_configured bndLabels': ['MANUAL', 'PASS', DEFAULT_PAGE],
    'signon_global_session_cookies_not_persistent 00pSessionField': [
      ...(['PASS', 'FAIL', 'The rule does not disable persistent cookies.'] as const),
    ],
    'signon_global_session_idle_timeout_15min 00pSessionField': ['PASS', 'FAIL', UNLIMITED],
    'signon_global_session_policy_network_zone_enforced 00pSessionField': [
      ...(['PASS', 'FAIL', 'A rule that only excludes a zone applies to all other locations.'] as const),
    ],
    'user_inactivity_automation_35d_enabled okta-user-inactivity-na-external-directory': [
      ...(['none', 'MANUAL', NOT_APPLICABLE] as const),
    ],
    'user_inactivity_automation_35d_enabled rulLifecycleGood': ['PASS', 'none', NOT_APPLICABLE],
  },
};

const environment = await pythonEnvironment('prowler');
const skip = typeof environment === 'string' ? environment : await getNamespaceSkipReason();

describe('Prowler and Sluice scans of an Okta organization', { skip }, () => {
  const { program } = environment as PythonEnvironment;

  for (const organization of ['compliant', 'mixed'] as const) {
    it(`scans of the ${organization} organization by Prowler and Sluice differ only in the listed verdicts`, async (context) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'sluice-okta-'));
      context.after(() => rm(folder, { recursive: true, force: true }));
      const scans = await scan(folder, organization);
      const prowler = await readVerdicts(path.join(folder, 'prowler.ocsf.json'), scans.prowler.output);
      const sluice = await readVerdicts(path.join(folder, 'sluice.ocsf.json'), scans.sluice.output);
      const pairs = new Set([...prowler.keys(), ...sluice.keys()]);
      const differences = Object.fromEntries(
        [...pairs].sort().flatMap((pair) => {
          const [prowlerVerdict = 'none', sluiceVerdict = 'none'] = [prowler.get(pair), sluice.get(pair)];
          return prowlerVerdict === sluiceVerdict ? [] : [[pair, [prowlerVerdict, sluiceVerdict]]];
        }),
      );
      const different = Object.keys(differences).length;
      for (const [name, { seconds, requests }] of Object.entries(scans))
        context.diagnostic(`${name}: ${seconds} s, ${requests} requests`);
      context.diagnostic(`${pairs.size - different} verdicts equal, ${different} different`);
      const expected = Object.entries(DIFFERENCES[organization]).map(
        ([pair, [prowlerVerdict, sluiceVerdict]]) => [pair, [prowlerVerdict, sluiceVerdict]],
      );
      assert.deepEqual(differences, Object.fromEntries(expected));
    });
  }

  const scan = async (folder: string, organization: string): Promise<PeerScans> => {
    const [key, certificate, hosts] = ['key.pem', 'cert.pem', 'hosts'].map((name) => path.join(folder, name));
    const subject = ['-subj', '/CN=Sluice test', '-addext', `subjectAltName=DNS:${OKTA_HOST}`, '-days', '2'];
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject],
      ...['-keyout', String(key), '-out', String(certificate)],
    ]);
    await writeFile(String(hosts), `127.0.0.1 localhost ${OKTA_HOST}\n`);
    const args = [process.execPath, OKTA_SCANS, folder, organization, program('prowler')];
    const [unshare = '', ...unshareArgs] = NAMESPACE;
    const { stdout, stderr } = await run(unshare, [...unshareArgs, IN_NAMESPACE, String(hosts), ...args]);
    assert.match(stdout, /^\{/, `${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  };
});

/** Returns the verdicts by check and resource. If a pair has several verdicts, they are joined, as in `FAIL PASS`. */
async function readVerdicts(file: string, output: string): Promise<Map<string, string>> {
  const records: readonly ScannerRecord[] = JSON.parse(
    await readFile(file, 'utf8').catch(() => assert.fail(`${file} does not exist: ${output}`)),
  );
  const byPair = Map.groupBy(
    records,
    ({ metadata, resources }) => `${metadata.event_code} ${resources[0]?.uid}`,
  );
  return new Map(
    [...byPair].map(([pair, all]) => [
      pair,
      all
        .map(({ status_code }) => status_code)
        .sort()
        .join(' '),
    ]),
  );
}

async function getNamespaceSkipReason(): Promise<string | false> {
  const [unshare = '', ...unshareArgs] = NAMESPACE;
  const result = await run(unshare, [...unshareArgs, IN_NAMESPACE, '/etc/hosts', 'true']).catch(
    (error: unknown) => ({
      code: 1,
      stderr: String(error),
    }),
  );
  return result.code === 0
    ? false
    : `can't create a namespace with its own hosts file: ${result.stderr.trim()}`;
}
