import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type pg from 'pg';
import { parseApiKey, secretMatches } from '../access/api-key.ts';
import type { KeyUsage } from '../access/key-usage.ts';
import { isPermission, type Permission } from '../access/permissions.ts';
import { queryOnce } from '../db/transaction.ts';
import { ApiError } from '../jsonapi/errors.ts';
import { clientAddress } from './client-address.ts';
import type { RateLimits } from './rate-limits.ts';

/** Who a request comes from, once its key has been accepted. */
export interface Access {
  readonly tenantId: string;
  readonly keyId: string;
  readonly userId: string;
  /** What the key may do: its user's permissions, narrowed by its own. */
  readonly permissions: ReadonlySet<Permission>;
}

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | null;
  }
}

interface KeyRow {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly user_id: string;
  readonly secret_sha256: Buffer;
  readonly key_permissions: string[] | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly user_permissions: string[];
  readonly subscription: string;
}

export interface AccessRule {
  /** Each is needed through the key and through the user's roles. */
  readonly permissions: readonly Permission[];
  /** The tenant needs an active subscription. */
  readonly subscription?: boolean;
}

export interface AccessDependencies {
  readonly pool: pg.Pool;
  readonly rates: RateLimits;
  readonly keyUsage: KeyUsage;
}

/**
 * Decides who gets in, before a byte of the body is read: 401 for the key, then 403 for the user, then 402 for
 * the tenant (specification, "Errors"), then 429 for the rate.
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
      const key = await rates.inTurn(address, () => authenticate(pool, authorization));
      if (key instanceof ApiError) {
        // Who sends no key tries none. Only failures are refused for their number: others may share the address.
        if (authorization !== undefined) await rates.countFailedAuthentication(address);
        throw key;
      }
      const narrowed = key.key_permissions;
      const notOfKey = permissions.find((permission) => narrowed?.includes(permission) === false);
      if (notOfKey !== undefined)
        throw unauthorized(`This API key is narrowed and lacks the permission ${notOfKey}`);
      keyUsage.record(key.tenant_id, key.key_id);
      const notOfUser = permissions.find((permission) => !key.user_permissions.includes(permission));
      if (notOfUser !== undefined) {
        throw new ApiError({
          status: 403,
          code: 'permission_denied',
          detail: `The user of this API key lacks the permission ${notOfUser}; a role with it has to be given to the user`,
        });
      }
      if (subscription && key.subscription !== 'active') {
        throw new ApiError({
          status: 402,
          code: 'subscription_required',
          detail: 'This tenant has no active subscription; ingestion needs one',
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
            .filter((name) => narrowed === null || narrowed.includes(name)),
        ),
      };
    };
}

/** The access of a request that has passed the gate. */
export function accessOf(request: FastifyRequest): Access {
  if (request.access === null) throw new Error('the route has no access rule');
  return request.access;
}

/** The key of a request, or the answer to one that has none that is accepted. */
async function authenticate(pool: pg.Pool, header: string | undefined): Promise<KeyRow | ApiError> {
  const text = /^Api-Key +(\S+) *$/i.exec(header ?? '')?.[1];
  if (text === undefined) return unauthorized('Send the header Authorization: Api-Key <API_KEY>');
  const presented = parseApiKey(text);
  if (presented === undefined)
    return unauthorized('This is no API key of this service: it is mistyped or cut off');
  const rows = await queryOnce<KeyRow>(pool, 'select * from find_api_key($1)', [presented.prefix]);
  const key = rows.find(({ secret_sha256 }) => secretMatches(presented.secret, secret_sha256));
  if (key === undefined) return unauthorized('This API key is not known');
  if (key.revoked_at !== null) return unauthorized('This API key was revoked');
  if (key.expires_at !== null && key.expires_at.getTime() <= Date.now())
    return unauthorized('This API key has expired');
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
