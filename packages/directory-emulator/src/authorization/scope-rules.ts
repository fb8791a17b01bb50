import { errors } from 'oidc-provider';

export interface ScopeRules {
  /** All scopes of the organization. */
  readonly known: readonly string[];
  /** Scopes of the service app. */
  readonly granted: readonly string[];
}

/** Throws the vendor's error for a missing, unknown, or ungranted scope. */
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
  const ungranted = scopes.filter((scope) => !granted.includes(scope));
  if (ungranted.length === scopes.length)
    throw new errors.ConsentRequired('You are not allowed any of the requested scopes.');
  if (ungranted.length > 0)
    throw new errors.InvalidScope(
      'One or more of the requested scopes are not granted to the service app.',
      ungranted.join(' '),
    );
}
