import type { Framework, Requirement } from './framework.ts';

interface Safeguard {
  readonly id: string;
  readonly title: string;
  readonly control: string;
  readonly assetType: string;
  readonly securityFunction: string;
  /** A safeguard in `IG1` also belongs to `IG2` and `IG3`. */
  readonly implementationGroups: readonly string[];
  /** The evidence that the checks provide for the safeguard. */
  readonly evidence: string;
  readonly checks: readonly string[];
}

const FROM_IG1 = ['IG1', 'IG2', 'IG3'];
const FROM_IG2 = ['IG2', 'IG3'];
const CONFIGURATION = '4 Secure Configuration of Enterprise Assets and Software';
const ACCOUNTS = '5 Account Management';
const ACCESS = '6 Access Control Management';
const LOGS = '8 Audit Log Management';
const USERS = { assetType: 'Users', securityFunction: 'Protect' };
const LOG_DATA = { control: LOGS, assetType: 'Data', securityFunction: 'Detect' };
const LOG_CHECKS = ['systemlog_streaming_enabled'];

/**
 * The safeguards for which directory settings provide evidence. Some checks have no corresponding safeguard: network
 * zones, smart cards, FIPS mode, the consent banner, password age and lockout.
 */
const SAFEGUARDS: readonly Safeguard[] = [
  {
    id: '4.3',
    title: 'Configure Automatic Session Locking on Enterprise Assets',
    control: CONFIGURATION,
    assetType: 'Devices',
    securityFunction: 'Protect',
    implementationGroups: FROM_IG1,
    evidence:
      'Sessions end after at most 15 minutes of inactivity, at their maximum lifetime, and when the browser is closed. The safeguard requires a lock after at most 15 minutes of inactivity on general-purpose operating systems; the checks apply that limit to browser sessions.',
    checks: [
      'application_admin_console_session_idle_timeout_15min',
      'signon_global_session_cookies_not_persistent',
      'signon_global_session_idle_timeout_15min',
      'signon_global_session_lifetime_18h',
    ],
  },
  {
    id: '5.2',
    title: 'Use Unique Passwords',
    control: ACCOUNTS,
    ...USERS,
    implementationGroups: FROM_IG1,
    evidence:
      'Password policies reject common and recently used passwords, and require at least 15 characters with uppercase and lowercase letters, a number and a symbol. The safeguard recommends at least 8 characters for accounts with MFA and at least 14 for accounts without it.',
    checks: [
      'authenticator_password_common_password_check',
      'authenticator_password_complexity_lowercase',
      'authenticator_password_complexity_number',
      'authenticator_password_complexity_symbol',
      'authenticator_password_complexity_uppercase',
      'authenticator_password_history_5',
      'authenticator_password_minimum_length_15',
    ],
  },
  {
    id: '5.3',
    title: 'Disable Dormant Accounts',
    control: ACCOUNTS,
    ...USERS,
    implementationGroups: FROM_IG1,
    evidence:
      'An automation suspends or deactivates inactive users. The safeguard allows at most 45 days of inactivity; the check allows at most 35, unless the configuration sets a different limit.',
    checks: ['user_inactivity_automation_35d_enabled'],
  },
  {
    id: '5.4',
    title: 'Restrict Administrator Privileges to Dedicated Administrator Accounts',
    control: ACCOUNTS,
    ...USERS,
    implementationGroups: FROM_IG1,
    evidence: 'API tokens do not have Super Administrator privileges.',
    checks: ['apitoken_not_super_admin'],
  },
  {
    id: '6.3',
    title: 'Require MFA for Externally-Exposed Applications',
    control: ACCESS,
    ...USERS,
    implementationGroups: FROM_IG1,
    evidence:
      'The end-user dashboard, through which users reach their applications, requires two factors, one of them phishing-resistant.',
    checks: ['application_dashboard_mfa_required', 'application_dashboard_phishing_resistant_authentication'],
  },
  {
    id: '6.5',
    title: 'Require MFA for Administrative Access',
    control: ACCESS,
    ...USERS,
    implementationGroups: FROM_IG1,
    evidence: 'The admin console requires two factors, one of them phishing-resistant.',
    checks: [
      'application_admin_console_mfa_required',
      'application_admin_console_phishing_resistant_authentication',
    ],
  },
  {
    id: '8.2',
    title: 'Collect Audit Logs',
    ...LOG_DATA,
    implementationGroups: FROM_IG1,
    evidence: "An active log stream exports the organization's audit log.",
    checks: LOG_CHECKS,
  },
  {
    id: '8.9',
    title: 'Centralize Audit Logs',
    ...LOG_DATA,
    implementationGroups: FROM_IG2,
    evidence: 'An active log stream sends the audit log to a central log server.',
    checks: LOG_CHECKS,
  },
  {
    id: '8.12',
    title: 'Collect Service Provider Logs',
    ...LOG_DATA,
    implementationGroups: ['IG3'],
    evidence:
      'An active log stream collects the authentication and user management events of the identity provider, which is a service provider.',
    checks: LOG_CHECKS,
  },
];

/** The safeguards in CIS Critical Security Controls v8.1 for which directory settings provide evidence. */
export const CIS_CONTROLS: Framework = {
  name: () => 'CIS-Controls-8.1',
  title: 'CIS Controls v8.1',
  phrase: 'CIS Controls v8.1',
  description: 'CIS Critical Security Controls, version 8.1',
  sectionTitle: 'Safeguard',
  attributes: ['SECTION', 'IMPLEMENTATIONGROUPS', 'SECURITYFUNCTION', 'ASSETTYPE'],
  // The limits of safeguards 4.3 and 5.3. No safeguard limits the session lifetime.
  limits: { maxSessionIdleMinutes: 15, adminConsoleMaxIdleMinutes: 15, maxInactivityDays: 45 },
  requirements: ({ id }) => SAFEGUARDS.filter(({ checks }) => checks.includes(id)).map(requirementOf),
};

function requirementOf({
  id,
  title,
  control,
  implementationGroups,
  securityFunction,
  assetType,
  evidence,
}: Safeguard): Requirement {
  return {
    id,
    name: title,
    description: evidence,
    section: `${id} ${title}`,
    identifiers: [id],
    attributes: {
      SECTION: control,
      IMPLEMENTATIONGROUPS: implementationGroups.join(' | '),
      SECURITYFUNCTION: securityFunction,
      ASSETTYPE: assetType,
    },
  };
}
