import { ApiError } from '../jsonapi/errors.ts';
import type { Access } from '../plugins/access.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Nobody sees by `include` what they could not list. Throws an ApiError (403). An active subscription, which a kind's
 * own endpoints may need as well, is not asked for: it is no matter of who may see what.
 */
export function assertMayInclude(
  { permissions }: Pick<Access, 'permissions'>,
  includes: NonNullable<Endpoint['includes']>,
  wanted: ReadonlySet<string>,
): void {
  for (const [name, { access }] of Object.entries(includes)) {
    const missing = access.permissions.find((permission) => !permissions.has(permission));
    if (!wanted.has(name) || missing === undefined) continue;
    throw new ApiError({
      status: 403,
      code: 'permission_denied',
      detail: `include=${name} needs the permission ${missing}, which this API key lacks: it is narrowed, or its user needs a role with it`,
      source: { parameter: 'include' },
    });
  }
}
