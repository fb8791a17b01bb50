import { errors } from 'oidc-provider';

export interface ScopeRules {
  /** All scopes that the organization knows. */
  readonly known: readonly string[];
  /** Those of the service app. */
  readonly granted: readonly string[];
}

/** Refuses what the vendor refuses: no scope, an unknown one, one that the service app was not granted. */
export function checkScopes(requested: unknown, { known, granted }: ScopeRules): void {
  if (typeof requested !== 'string' || requested === '')
    throw new errors.InvalidScope('The scope parameter is required.', '');
  const scopes = requested.split(' ');
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0)
    throw new errors.InvalidScope(
      'One or more scopes are not configured for the authorization server resource.',
      unknown.join(' '),
    );
  const refused = scopes.filter((scope) => !granted.includes(scope));
  if (refused.length === scopes.length)
    throw new errors.ConsentRequired('You are not allowed any of the requested scopes.');
  if (refused.length > 0)
    throw new errors.InvalidScope(
      'One or more of the requested scopes are not granted to the service app.',
      refused.join(' '),
    );
}
