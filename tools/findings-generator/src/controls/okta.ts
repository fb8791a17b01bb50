import type { NonEmpty } from '../random.ts';
import { application, sessionPolicy } from '../resource-types/okta.ts';
import { type Catalog, type Control, interleave, mapEach } from './control.ts';

/** Controls for applications and session policies. The texts are not copied from any scanner. */
const RESOURCE_CONTROLS: NonEmpty<Control> = [
  {
    resource: sessionPolicy,
    service: 'session',
    code: 'policy_mfa_required',
    title: 'Global session policy requires MFA at every sign-in',
    desc: 'Rules of **global session policies** are evaluated for a required second factor at every sign-in.',
    risk: 'A phished or reused password is enough to sign in. From the dashboard, an attacker reaches **every assigned application**.',
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
      'Configure SAML 2.0 or OpenID Connect in the application and in Okta, then delete the stored passwords.\n\nAsk the vendor for **federation support** where it is missing.',
    pass: 'uses federated sign-on.',
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
    risk: 'Persistent cookies on shared or stolen devices let others **resume the session** without signing in.',
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
    title: 'Application has rotated its client secret within the last 90 days',
    desc: 'Client secrets of **OpenID Connect applications** are evaluated for their age. Clients with `private_key_jwt` pass.',
    risk: 'Old client secrets are known to former employees and stored in configuration files. A leaked secret allows **impersonation of the client**.',
    remedy:
      'Generate a second secret, deploy it, and deactivate the old one.\n\nPrefer the authentication method **Public key / Private key**.',
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
    desc: 'Authentication policies of **applications** are evaluated for the constraint *Phishing resistant*.',
    risk: 'One-time codes and push notifications can be relayed by a proxy. An attacker obtains a **valid session** in real time.',
    remedy:
      'Assign a policy that requires a possession factor with *Phishing resistant*.\n\nRoll out **Okta FastPass** or FIDO2 security keys first.',
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
    desc: '**Applications** with provisioning are evaluated for the feature *Deactivate users*.',
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
  return {
    resource: application,
    service: 'application',
    code: `no_scope_${scope.replaceAll('.', '_').toLowerCase()}`,
    title: `Application is not granted the scope ${scope}`,
    desc: `API grants of **applications** are evaluated for the OAuth 2.0 scope \`${scope}\`. Applications with a documented exception are excluded.`,
    risk: 'A client with this scope can act on the whole organization. If its credentials leak, an attacker can **read or change identities**.',
    remedy: `Revoke the scope \`${scope}\` on the *Okta API Scopes* tab of the application.\n\nCreate a separate client for each task, with **only the scopes that it needs**.`,
    pass: `is not granted the scope ${scope}.`,
    fail: `is granted the scope ${scope}.`,
    permission: 'okta.appGrants.read',
    severity: scope.endsWith('.manage') ? 4 : 2,
    category: 'identity-access',
    evidence: (passed) => ({ granted_scopes: passed ? ['openid'] : ['openid', scope] }),
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
    risk: 'Long sessions give an attacker more time to use a **stolen session cookie**, even after the password was changed.',
    remedy: `Set *Maximum Okta global session lifetime* to ${minutes} minutes or less in each rule.\n\nTell users about the change **before it takes effect**.`,
    pass: `limits the session lifetime to ${minutes} minutes.`,
    fail: `does not limit the session lifetime to ${minutes} minutes.`,
    permission: 'okta.policies.read',
    severity: 2,
    category: 'identity-access',
    evidence: (passed) => ({ max_session_lifetime_minutes: passed ? minutes : 0 }),
  };
}
