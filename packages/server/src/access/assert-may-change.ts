import type { Call } from '../api/endpoint.ts';
import { ApiError } from '../jsonapi/errors.ts';
import type { Permission } from './permissions.ts';

type Caller = Pick<Call['access'], 'permissions'>;

/** Nobody gives what they do not have. Throws an ApiError (403) that points at where the request asks for it. */
export function assertMayGrant(caller: Caller, granted: readonly Permission[], pointer: string): void {
  assertHas(caller, granted, 'give', pointer);
}

/** Nobody takes away what they could not give back. Throws an ApiError (403). */
export function assertMayRevoke(caller: Caller, revoked: readonly Permission[], pointer?: string): void {
  assertHas(caller, revoked, 'take away', pointer);
}

function assertHas(
  { permissions }: Caller,
  changed: readonly Permission[],
  verb: 'give' | 'take away',
  pointer: string | undefined,
): void {
  const missing = changed.filter((permission) => !permissions.has(permission));
  if (missing.length === 0) return;
  throw new ApiError({
    status: 403,
    code: 'permission_denied',
    detail: `This API key may not ${verb} ${missing.join(', ')}, as it does not have it itself; ask somebody who has`,
    ...(pointer !== undefined && { source: { pointer } }),
  });
}
