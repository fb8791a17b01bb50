import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type pg from 'pg';
import { findApiKey, parseApiKey, type StoredApiKey } from '../../auth/api-keys.ts';
import type { KeyUsage } from '../../auth/key-usage.ts';
import { type Access, type AccessRule, isPermission } from '../../auth/permissions.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import { clientAddress } from '../../lib/client-address.ts';
import type { RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | null;
  }
}

export interface AccessDependencies {
  readonly pool: pg.Pool;
  readonly rates: RateLimits;
  readonly keyUsage: KeyUsage;
}

/**
 * Returns a function that creates a route's authentication and authorization hook. The hook runs before the body is
 * read. It checks the key (401), the user's permissions (403), the subscription (402) and the rate limit (429), in this
 * order (docs/specification.md, "Errors").
 */
export function createAccessControl({
  pool,
  rates,
  keyUsage,
}: AccessDependencies): (rule: AccessRule) => onRequestAsyncHookHandler {
  return ({ permissions, subscription = false }) =>
    async (request, reply) => {
      const { authorization } = request.headers;
      const address = clientAddress(request);
      const key = await rates.throttleLookup(address, () => authenticate(pool, authorization));
      if (key instanceof ApiError) {
        // A request without a key does not count as a failed authentication attempt. Successful requests are not
        // limited by address, because clients may share an address.
        if (authorization !== undefined) await rates.countFailedAuthentication(address);
        throw key;
      }
      const restricted = key.key_permissions;
      const missingInKey = permissions.find((permission) => restricted?.includes(permission) === false);
      if (missingInKey !== undefined)
        throw unauthorized(
          `The API key does not include the permission ${missingInKey}. Use a key that does.`,
        );
      keyUsage.record(key.tenant_id, key.key_id);
      const missingForUser = permissions.find((permission) => !key.user_permissions.includes(permission));
      if (missingForUser !== undefined) {
        throw new ApiError({
          status: 403,
          code: 'permission_denied',
          detail: `The API key's user lacks the permission ${missingForUser}. Ask an administrator to assign a role that includes it.`,
        });
      }
      if (subscription && key.subscription !== 'active') {
        throw new ApiError({
          status: 402,
          code: 'subscription_required',
          detail: 'The tenant has no active subscription, which this request requires.',
        });
      }
      await rates.countRequest(key.key_id, reply);
      request.access = {
        tenantId: key.tenant_id,
        keyId: key.key_id,
        userId: key.user_id,
        permissions: new Set(
          key.user_permissions
            .filter(isPermission)
            .filter((name) => restricted === null || restricted.includes(name)),
        ),
      };
    };
}

/** Returns the authenticated client of a request. */
export function accessOf(request: FastifyRequest): Access {
  if (request.access === null) throw new Error('the route has no access rule');
  return request.access;
}

/** Returns the request's API key, or the error response if the request has no valid key. */
async function authenticate(pool: pg.Pool, header: string | undefined): Promise<StoredApiKey | ApiError> {
  const text = /^Api-Key +(\S+) *$/i.exec(header ?? '')?.[1];
  if (text === undefined)
    return unauthorized("The request has no API key. Send the header 'Authorization: Api-Key <API_KEY>'.");
  const presented = parseApiKey(text);
  if (presented === undefined)
    return unauthorized('The API key is malformed. Check that it was copied completely.');
  const key = await findApiKey(pool, presented);
  if (key === undefined) return unauthorized('The API key does not exist.');
  if (key.revoked_at !== null) return unauthorized('The API key was revoked.');
  if (key.expires_at !== null && key.expires_at.getTime() <= Date.now())
    return unauthorized('The API key has expired.');
  return key;
}

function unauthorized(detail: string): ApiError {
  return new ApiError({
    status: 401,
    code: 'invalid_api_key',
    detail,
    source: { header: 'Authorization' },
    headers: { 'www-authenticate': 'Api-Key realm="sluice"' },
  });
}
