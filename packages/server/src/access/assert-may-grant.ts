import type { Call } from '../api/endpoint.ts';
import { ApiError } from '../jsonapi/errors.ts';
import type { Permission } from './permissions.ts';

/** Nobody gives what they do not have. Throws an ApiError (403) that points at where the request asks for it. */
export function assertMayGrant(
  { permissions }: Pick<Call['access'], 'permissions'>,
  granted: readonly Permission[],
  pointer: string,
): void {
  const missing = granted.filter((permission) => !permissions.has(permission));
  if (missing.length === 0) return;
  throw new ApiError({
    status: 403,
    code: 'permission_denied',
    title: 'Permission denied',
    detail: `This API key may not give ${missing.join(', ')}, as it does not have it itself; ask somebody who has`,
    source: { pointer },
  });
}
