import type { Dialect } from '../directory/dialect.ts';
import type { ReadProblem } from '../directory/read.ts';
import type { App, IdentityProvider, PasswordPolicy, Snapshot } from '../directory/snapshot.ts';
import { isActive } from './policy-rules.ts';

/** Directories that check passwords and disable users themselves, by `conditions.authProvider.provider`. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['ACTIVE_DIRECTORY', 'Active Directory'],
  ['LDAP', 'LDAP'],
]);

/** The app of an agent. `ldap_interface` is the other way round: the organization as an LDAP directory. */
const DIRECTORY_APP = /^(?:active_directory|ldap(?!_interface$)(?:_\w+)?)$/;

export type DirectorySources = Pick<Snapshot, 'passwordPolicies' | 'apps' | 'identityProviders'>;

/** What connects a directory, as a sentence names it, and what of it could not be read. */
export interface ConnectedDirectories {
  readonly names: readonly string[];
  readonly unread: { readonly problem: ReadProblem; readonly what: string } | undefined;
}

/** The connected directory whose users a password policy is for, as a sentence names it. */
export function directoryForPolicy({ authProvider }: PasswordPolicy): string | undefined {
  return PROVIDERS.get(authProvider?.toUpperCase() ?? '');
}

/**
 * Looks for connected directories. At Okta an app of an agent and a password policy show them, and identity providers never
 * do; in the dialect `directory` identity providers may.
 */
export function connectedDirectories(
  { passwordPolicies, apps, identityProviders }: DirectorySources,
  { name }: Dialect,
): ConnectedDirectories {
  const names: string[] = [];
  if (passwordPolicies.kind === 'read')
    for (const policy of passwordPolicies.value.filter(isActive)) {
      const directory = directoryForPolicy(policy);
      if (directory !== undefined) names.push(`password policy "${policy.name}" (${directory})`);
    }
  if (apps.kind === 'read') names.push(...apps.value.filter(isDirectoryApp).map(appName));
  if (identityProviders.kind === 'read')
    names.push(...identityProviders.value.filter(isDirectoryProvider).map(providerName));
  return { names, unread: firstUnread() };

  function firstUnread(): ConnectedDirectories['unread'] {
    if (passwordPolicies.kind === 'unread')
      return { problem: passwordPolicies.problem, what: 'The password policies' };
    if (name === 'okta' && apps.kind === 'unread') return { problem: apps.problem, what: 'The apps' };
    if (name === 'directory' && identityProviders.kind === 'unread')
      return { problem: identityProviders.problem, what: 'The identity providers' };
    return undefined;
  }
}

function isDirectoryApp(app: App): boolean {
  return DIRECTORY_APP.test(app.name) && isActive(app);
}

function isDirectoryProvider({ type, status }: IdentityProvider): boolean {
  return PROVIDERS.has(type?.toUpperCase() ?? '') && status?.toUpperCase() === 'ACTIVE';
}

function appName({ label, name }: App): string {
  return `app "${label || name}" (${name})`;
}

function providerName({ name, type }: IdentityProvider): string {
  return `identity provider "${name}" (${type})`;
}
