import type { Dialect } from '../directory/dialect.ts';
import type { ReadProblem } from '../directory/read-result.ts';
import type { App, IdentityProvider, PasswordPolicy, Snapshot } from '../directory/snapshot.ts';
import { isActive } from './policy-rules.ts';

/** Directories that validate passwords and disable users themselves, keyed by `conditions.authProvider.provider`. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['ACTIVE_DIRECTORY', 'Active Directory'],
  ['LDAP', 'LDAP'],
]);

/**
 * Matches the app of a directory agent, but not `ldap_interface`, which does the reverse: it exposes the organization
 * as an LDAP directory.
 */
const DIRECTORY_APP = /^(?:active_directory|ldap(?!_interface$)(?:_\w+)?)$/;

export type DirectorySources = Pick<Snapshot, 'passwordPolicies' | 'apps' | 'identityProviders'>;

/** The connected directories as text for messages, and the first resource that could not be read. */
export interface ConnectedDirectories {
  readonly names: readonly string[];
  readonly unread: { readonly problem: ReadProblem; readonly subject: string } | undefined;
}

/** The connected directory that a password policy applies to, as text for messages. */
export function directoryForPolicy({ authProvider }: PasswordPolicy): string | undefined {
  return PROVIDERS.get(authProvider?.toUpperCase() ?? '');
}

/**
 * Finds connected directories. In Okta, they appear as agent apps and in password policies. With `--dialect directory`,
 * they can also be identity providers.
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
      return { problem: passwordPolicies.problem, subject: 'The password policies' };
    if (name === 'okta' && apps.kind === 'unread') return { problem: apps.problem, subject: 'The apps' };
    if (name === 'directory' && identityProviders.kind === 'unread')
      return { problem: identityProviders.problem, subject: 'The identity providers' };
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
