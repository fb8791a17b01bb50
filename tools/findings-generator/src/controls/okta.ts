import type { NonEmpty } from '../random.ts';
import { application, sessionPolicy } from '../resource-types/okta.ts';
import { type Catalog, type Control, interleave, mapEach } from './control.ts';

/** Controls for applications and session policies. Their titles and descriptions are not copied from any scanner. */
const RESOURCE_CONTROLS: NonEmpty<Control> = [
  {
    resource: sessionPolicy,
    service: 'session',
    code: 'policy_mfa_required',
    title: 'Global session policy requires MFA at every sign-in',
    desc: 'Rules of **global session policies** are evaluated for a setting that requires MFA at every sign-in.',
    risk: 'A phished or reused password is enough to sign in. From the dashboard, an attacker can reach **every assigned application**.',
    remedy:
      'Set *Multifactor authentication is* to *Required* and *Users will be prompted for MFA* to *At every sign in*.\n\nPrefer **phishing-resistant** authenticators.',
    pass: 'requires MFA at every sign-in.',
    fail: 'does not require MFA at every sign-in.',
    permission: 'okta.policies.read',
    severity: 5,
    category: 'identity-access',
    evidence: (passed) => ({ factor_required: passed, factor_prompt_mode: passed ? 'ALWAYS' : 'DEVICE' }),
  },
  {
    resource: application,
    service: 'application',
    code: 'federated_sign_on',
    title: 'Application uses SAML or OpenID Connect for sign-on',
    desc: '**Applications** are evaluated for their sign-on mode. Applications with stored passwords (*Secure Web Authentication*) fail.',
    risk: 'Stored passwords are replayed to the application. They can be **phished and reused**, and remain valid after the user is deactivated.',
    remedy:
      'Configure SAML 2.0 or OpenID Connect in the application and in Okta, then delete the stored passwords.\n\nIf the application does not support **federation**, ask the vendor to add it.',
    pass: 'uses SAML or OpenID Connect for sign-on.',
    fail: 'uses stored passwords for sign-on.',
    permission: 'okta.apps.read',
    severity: 4,
    category: 'identity-access',
    evidence: (passed, _at, random) => ({
      sign_on_mode: passed ? random.pick(['SAML_2_0', 'OPENID_CONNECT']) : 'BROWSER_PLUGIN',
    }),
  },
  {
    resource: sessionPolicy,
    service: 'session',
    code: 'policy_no_persistent_cookies',
    title: 'Global session policy does not allow persistent cookies',
    desc: 'Rules of **global session policies** are evaluated for session cookies that persist after the browser is closed.',
    risk: 'Persistent cookies let anyone with access to a shared or stolen device **resume the session** without signing in.',
    remedy:
      'Set *Okta global session cookies persist across browser sessions* to *Disable* in each rule.\n\nShorten the **session lifetime** as well.',
    pass: 'does not allow persistent cookies.',
    fail: 'allows persistent cookies.',
    permission: 'okta.policies.read',
    severity: 3,
    category: 'identity-access',
    evidence: (passed) => ({ use_persistent_cookie: !passed }),
  },
  {
    resource: application,
    service: 'application',
    code: 'client_secret_rotated',
    title: 'Application client secret was rotated within the last 90 days',
    desc: 'Client secrets of **OpenID Connect applications** are evaluated for their age. Clients with `private_key_jwt` pass.',
    risk: 'Old client secrets may be known to former employees and are often stored in configuration files. A leaked secret allows **impersonation of the client**.',
    remedy:
      'Generate a second secret, deploy it, and deactivate the old one.\n\nPrefer **Public key / Private key** client authentication.',
    pass: 'has no client secret older than 90 days.',
    fail: 'has a client secret older than 90 days.',
    permission: 'okta.apps.read',
    severity: 3,
    category: 'secrets',
    evidence: (passed, _at, random) => ({
      client_secret_age_days: passed ? random.below(90) : 91 + random.below(700),
    }),
  },
  {
    resource: application,
    service: 'application',
    code: 'phishing_resistant_policy',
    title: 'Application requires phishing-resistant authentication',
    desc: 'Authentication policies of **applications** are evaluated for the *Phishing resistant* constraint.',
    risk: 'One-time codes and push notifications can be relayed by a proxy. An attacker obtains a **valid session** in real time.',
    remedy:
      'Assign an authentication policy that requires a **phishing-resistant** possession factor.\n\nRoll out **Okta FastPass** or FIDO2 security keys first.',
    pass: 'requires phishing-resistant authentication.',
    fail: 'does not require phishing-resistant authentication.',
    permission: 'okta.policies.read',
    severity: 4,
    category: 'identity-access',
    evidence: (passed) => ({ constraints: { phishing_resistant: passed ? 'REQUIRED' : 'OPTIONAL' } }),
  },
  {
    resource: application,
    service: 'application',
    code: 'provisioning_deactivates_users',
    title: 'Application deactivates users through provisioning',
    desc: '**Applications** with provisioning are evaluated for the *Deactivate Users* feature.',
    risk: 'Accounts of former employees remain active in the application and can be used **without Okta**.',
    remedy:
      'Enable provisioning to the application with *Deactivate Users*.\n\nReconcile the existing **orphaned accounts** once after the change.',
    pass: 'deactivates users through provisioning.',
    fail: 'does not deactivate users through provisioning.',
    permission: 'okta.apps.read',
    severity: 3,
    category: 'identity-access',
    evidence: (passed) => ({ features: passed ? ['PUSH_NEW_USERS', 'PUSH_USER_DEACTIVATION'] : [] }),
  },
];

const SCOPED_RESOURCES: NonEmpty<string> = [
  'users',
  'groups',
  'apps',
  'policies',
  'roles',
  'authenticators',
  'idps',
  'authorizationServers',
  'clients',
  'apiTokens',
  'sessions',
  'devices',
  'domains',
  'brands',
  'eventHooks',
  'inlineHooks',
  'trustedOrigins',
  'networkZones',
  'factors',
  'governance.accessRequests',
  'realms',
  'rateLimits',
  'threatInsights',
  'userTypes',
  'schemas',
  'linkedObjects',
  'profileMappings',
  'logStreams',
];

export const oktaCatalog: Catalog = {
  controls: interleave(
    RESOURCE_CONTROLS,
    mapEach(SCOPED_RESOURCES, (resource) => scopeControl(`okta.${resource}.manage`)),
    mapEach(SCOPED_RESOURCES, (resource) => scopeControl(`okta.${resource}.read`)),
  ),
  further: sessionLifetimeControl,
};

function scopeControl(scope: string): Control {
  const canChange = scope.endsWith('.manage');
  return {
    resource: application,
    service: 'application',
    code: `no_scope_${scope.replaceAll('.', '_').toLowerCase()}`,
    title: `Application is not granted the ${scope} scope`,
    desc: `**Applications** are evaluated for a grant of the \`${scope}\` OAuth 2.0 scope.`,
    risk: canChange
      ? 'A client with this scope can create, change, and delete these objects in the whole organization. If its credentials leak, an attacker can **take over the organization**.'
      : 'A client with this scope can read these objects of the whole organization. If its credentials leak, an attacker can **enumerate identities and settings**.',
    remedy: `Revoke the \`${scope}\` scope on the *Okta API Scopes* tab of the application.\n\nCreate a separate client for each task, with **only the scopes that it needs**.`,
    pass: `is not granted the ${scope} scope.`,
    fail: `is granted the ${scope} scope.`,
    permission: 'okta.appGrants.read',
    severity: canChange ? 4 : 2,
    category: 'identity-access',
    evidence: (passed) => ({ granted_scopes: ['okta.logs.read', ...(passed ? [] : [scope])] }),
  };
}

function sessionLifetimeControl(number: number): Control {
  const minutes = 15 + number;
  return {
    resource: sessionPolicy,
    service: 'session',
    code: `policy_lifetime_${minutes}_minutes`,
    title: `Global session policy limits the session lifetime to ${minutes} minutes`,
    desc: `Rules of **global session policies** are evaluated for a maximum session lifetime of ${minutes} minutes.`,
    risk: 'Long sessions give an attacker more time to use a **stolen session cookie**, even after the password is changed.',
    remedy: `Set *Maximum Okta global session lifetime* to ${minutes} minutes or less in each rule.\n\nNotify users of the change **before it takes effect**.`,
    pass: `limits the session lifetime to ${minutes} minutes.`,
    fail: `does not limit the session lifetime to ${minutes} minutes.`,
    permission: 'okta.policies.read',
    severity: 2,
    category: 'identity-access',
    evidence: (passed) => ({ max_session_lifetime_minutes: passed ? minutes : 0 }),
  };
}
