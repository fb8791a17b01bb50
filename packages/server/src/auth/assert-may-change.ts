import { ApiError } from '../jsonapi/errors.ts';
import type { Access } from './access-rule.ts';
import type { Permission } from './permissions.ts';

type Caller = Pick<Access, 'permissions'>;

/**
 * Throws an ApiError (403) if the caller grants permissions that it lacks. `pointer` is the JSON Pointer to the granted
 * permissions in the request.
 */
export function assertMayGrant(caller: Caller, granted: readonly Permission[], pointer: string): void {
  assertHas(caller, granted, 'grant', pointer);
}

/** Throws an ApiError (403) if the caller revokes permissions that it lacks and therefore could not grant again. */
export function assertMayRevoke(caller: Caller, revoked: readonly Permission[], pointer?: string): void {
  assertHas(caller, revoked, 'revoke', pointer);
}

function assertHas(
  { permissions }: Caller,
  changed: readonly Permission[],
  verb: 'grant' | 'revoke',
  pointer: string | undefined,
): void {
  const missing = changed.filter((permission) => !permissions.has(permission));
  if (missing.length === 0) return;
  throw new ApiError({
    status: 403,
    code: 'permission_denied',
    detail: `This API key cannot ${verb} ${missing.join(', ')} because it lacks ${missing.length === 1 ? 'that permission' : 'those permissions'}. Use a key that has ${missing.length === 1 ? 'it' : 'them'}.`,
    ...(pointer !== undefined && { source: { pointer } }),
  });
}
