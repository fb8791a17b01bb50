import type { Access } from '../../auth/access-rule.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Throws an ApiError (403) if `include` would return resources that the key is not allowed to list. Does not check for
 * an active subscription, although some lists require one, because a subscription does not restrict individual users.
 */
export function assertMayInclude(
  { permissions }: Pick<Access, 'permissions'>,
  includes: NonNullable<Endpoint['includes']>,
  requested: ReadonlySet<string>,
): void {
  for (const [name, { access }] of Object.entries(includes)) {
    const missing = access.permissions.find((permission) => !permissions.has(permission));
    if (!requested.has(name) || missing === undefined) continue;
    throw new ApiError({
      status: 403,
      code: 'permission_denied',
      detail: `Including '${name}' requires the permission ${missing}, which this API key lacks. Use an unrestricted key, or assign its user a role that has the permission.`,
      source: { parameter: 'include' },
    });
  }
}
