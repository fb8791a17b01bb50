import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import { createApiKey, formatApiKey, hashSecret } from './api-key.ts';
import type { Permission } from './permissions.ts';

export interface NewKey {
  readonly userId: string;
  readonly name: string | null;
  /** The permissions that the key is restricted to; `null` if it has all current and future permissions of its user. */
  readonly permissions: readonly Permission[] | null;
  /** `null` if the key never expires. */
  readonly expiresAt: Date | null;
}

export interface IssuedKey {
  readonly id: string;
  readonly prefix: string;
  /** The full key, which is neither stored nor shown again. */
  readonly key: string;
}

/** Creates a key for one of the tenant's users. */
export async function issueKey(
  client: Queryable,
  tenantId: string,
  { userId, name, permissions, expiresAt }: NewKey,
): Promise<IssuedKey> {
  const id = uuidv7();
  const key = createApiKey();
  await client.query(
    `insert into api_keys (tenant_id, id, user_id, prefix, secret_sha256, name, permissions, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenantId, id, userId, key.prefix, hashSecret(key.secret), name, permissions, expiresAt],
  );
  return { id, prefix: key.prefix, key: formatApiKey(key) };
}

export interface RevokedKey {
  readonly id: string;
  readonly prefix: string;
  readonly revoked_at: Date;
  /** `false` if the key had already been revoked. */
  readonly is_newly_revoked: boolean;
}

/**
 * Revokes a key by id or prefix. All processes reject subsequent requests with the key. Revoking a key again does not
 * change its revocation time. Returns `undefined` if the tenant has no such key.
 */
export async function revokeKey(
  client: Queryable,
  tenantId: string,
  key: { readonly id: string } | { readonly prefix: string },
): Promise<RevokedKey | undefined> {
  const [column, value] = 'id' in key ? ['id', key.id] : ['prefix', key.prefix];
  const { rows } = await client.query<RevokedKey>(
    `with known as (select id, revoked_at from api_keys where tenant_id = $1 and ${column} = $2 for update)
     update api_keys k set revoked_at = coalesce(k.revoked_at, now()) from known
     where k.tenant_id = $1 and k.id = known.id
     returning k.id, k.prefix, k.revoked_at, known.revoked_at is null as is_newly_revoked`,
    [tenantId, value],
  );
  return rows[0];
}
