/** The names in which one directory's API differs from another's. */
export interface Dialect {
  /** `cloud.provider` of the findings, and the prefix of scopes: `<name>.policies.read`. */
  readonly name: 'directory' | 'okta';
  /** How a sentence calls the product. */
  readonly title: string;
  /** `type` of the policies that govern the global session. */
  readonly sessionPolicyType: string;
  /** Internal names of the two first-party apps. */
  readonly adminConsoleApp: string;
  readonly dashboardApp: string;
  /** `key` of the vendor's own authenticator app. */
  readonly verifyAuthenticator: string;
  /** Domains of organizations: one label before one of these. */
  readonly domainSuffixes: readonly string[];
  /** The scope that opens `users/{id}/groups`. */
  readonly groupsOfUserScope: ScopeResource;
  /** `users/{id}/roles` lists the roles that a user inherits from groups, so that an empty list means no roles at all. */
  readonly listsInheritedRoles: boolean;
  /** Prefix of the vendor's headers, as in `X-Directory-Request-Id`. */
  readonly headerPrefix: string;
  /** `<prefix>-APP-000020` are the requirements of the STIG; `<framework>-V1R2` is its name. */
  readonly stigPrefix: string;
  readonly stigFramework: string;
}

const SUFFIX_ENDINGS = ['.com', 'preview.com', '-emea.com', '-gov.com', '.mil', '-miltest.com'] as const;

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

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = {
  directory: dialect('directory', 'Directory'),
  okta: dialect('okta', 'Okta'),
};

/** The ten reads that the 29 checks need, in the order in which they are asked for (specification, "Scopes required"). */
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
/** `users` is requested only if it is named: Okta requires it for the groups of a user, which a scan rarely reads. */
export type ScopeResource = (typeof SCOPE_RESOURCES)[number] | 'users';

/** The scope in the words of a dialect: `directory.policies.read`. */
export function scopeName({ name }: Dialect, resource: ScopeResource): string {
  return `${name}.${resource}.read`;
}

/** Whether a scan requests a scope without being configured to. */
export function isRequestedByDefault(scope: string): boolean {
  return SCOPE_RESOURCES.some((resource) => scope.endsWith(`.${resource}.read`));
}
