/** The names that differ between vendor APIs. */
export interface Dialect {
  /** The value of `cloud.provider` in findings, and the prefix of scopes, as in `<name>.policies.read`. */
  readonly name: 'directory' | 'okta';
  /** Product name in messages. */
  readonly title: string;
  /** The `type` of the policies that govern the global session. */
  readonly sessionPolicyType: string;
  /** Internal names of the two first-party apps. */
  readonly adminConsoleApp: string;
  readonly dashboardApp: string;
  /** The `key` of the vendor's own authenticator app. */
  readonly verifyAuthenticator: string;
  /** The suffixes of organization domains. A domain is one label followed by one of these suffixes. */
  readonly domainSuffixes: readonly string[];
  /** The scope for `users/{id}/groups`. */
  readonly groupsOfUserScope: ScopeResource;
  /** Whether `users/{id}/roles` includes the roles inherited from groups, so that an empty list means no roles. */
  readonly listsInheritedRoles: boolean;
  /** Prefix of the vendor's headers, as in `X-Directory-Request-Id`. */
  readonly headerPrefix: string;
  /** Prefix of requirement IDs (`<prefix>-APP-000020`), and of the framework name (`<framework>-V1R2`). */
  readonly stigPrefix: string;
  readonly stigFramework: string;
}

const SUFFIX_ENDINGS = ['.com', 'preview.com', '-emea.com', '-gov.com', '.mil', '-miltest.com'] as const;

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = {
  directory: dialect('directory', 'Directory'),
  okta: dialect('okta', 'Okta'),
};

function dialect(name: Dialect['name'], title: string): Dialect {
  const upper = name.toUpperCase();
  return {
    name,
    title,
    sessionPolicyType: `${upper}_SIGN_ON`,
    adminConsoleApp: 'saasure',
    dashboardApp: `${name}_enduser`,
    verifyAuthenticator: `${name}_verify`,
    domainSuffixes: [...SUFFIX_ENDINGS.map((ending) => `${name}${ending}`), 'trex-govcloud.com'],
    groupsOfUserScope: name === 'okta' ? 'users' : 'groups',
    listsInheritedRoles: name === 'okta',
    headerPrefix: `X-${title}`,
    stigPrefix: upper,
    stigFramework: `${title}-IDaaS-STIG`,
  };
}

/** The resources of the ten default scopes, in request order (docs/specification.md, "Scopes required"). */
export const SCOPE_RESOURCES = [
  'policies',
  'brands',
  'apps',
  'authenticators',
  'networkZones',
  'apiTokens',
  'roles',
  'groups',
  'logStreams',
  'idps',
] as const;
/** `users` is not requested by default: Okta requires this scope to list a user's groups, which a scan rarely needs. */
export type ScopeResource = (typeof SCOPE_RESOURCES)[number] | 'users';

/** The full name of a scope, such as `directory.policies.read`. */
export function scopeName({ name }: Dialect, resource: ScopeResource): string {
  return `${name}.${resource}.read`;
}

/** Whether a scope is requested by default. */
export function isRequestedByDefault(scope: string): boolean {
  return SCOPE_RESOURCES.some((resource) => scope.endsWith(`.${resource}.read`));
}
