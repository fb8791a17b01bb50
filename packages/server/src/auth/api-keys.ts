import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { isDistributed } from '../db/distribution.ts';
import { TENANT } from '../db/tenant-parameter.ts';
import { type Queryable, queryOnce, readAsTenant } from '../db/transaction.ts';
import type { Permission } from './permissions.ts';

/**
 * An API key has the form `sk_<8>.<32><6>`: a public prefix for lookups, a random 190-bit secret, and a checksum
 * (CRC-32, base 62) that lets secret scanners validate a key offline. Only the prefix and the SHA-256 hash of the
 * secret are stored. A fast hash is sufficient, because the secret cannot be guessed.
 */
export interface ApiKey {
  /** `sk_` and 8 characters. */
  readonly prefix: string;
  /** The characters after the dot, including the checksum. */
  readonly secret: string;
}

/**
 * An issued key, with the permissions of its user and the subscription of its tenant. It may be revoked or expired.
 */
export interface StoredApiKey {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly user_id: string;
  /** The permissions that the key is restricted to. `null` if it has all permissions of its user. */
  readonly key_permissions: string[] | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly user_permissions: string[];
  readonly subscription: string;
}

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

export interface RevokedKey {
  readonly id: string;
  readonly prefix: string;
  readonly revoked_at: Date;
  /** `false` if the key had already been revoked. */
  readonly is_newly_revoked: boolean;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX_LENGTH = 8;
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^(sk_[${ALPHABET}]{${PREFIX_LENGTH}})\\.([${ALPHABET}]{${RANDOM_LENGTH}})([${ALPHABET}]{${CHECKSUM_LENGTH}})$`,
);

const FIND_KEY = `
  select k.tenant_id, k.id as key_id, k.user_id, k.secret_sha256, k.permissions as key_permissions, k.expires_at, k.revoked_at,
    coalesce(
      (select array_agg(distinct permission)
       from user_roles ur
       join roles r on r.tenant_id = ${TENANT} and r.id = ur.role_id
       cross join unnest(r.permissions) as permission
       where ur.tenant_id = ${TENANT} and ur.user_id = k.user_id),
      '{}') as user_permissions,
    t.subscription
  from api_keys k
  join tenants t on t.tenant_id = ${TENANT}
  where k.tenant_id = ${TENANT} and k.prefix = $2`;

/** Parses a key. Returns `undefined` if the key is malformed or its checksum is wrong. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, prefix, random, check] = FORM.exec(text) ?? [];
  if (prefix === undefined || random === undefined || check !== checksum(prefix, random)) return undefined;
  return { prefix, secret: random + check };
}

/** A key with the hash of its secret. */
type KeyRow = StoredApiKey & { readonly secret_sha256: Buffer };

/** Returns the key with this prefix and secret; `undefined` if there is none. */
export async function findApiKey(
  pool: pg.Pool,
  { prefix, secret }: ApiKey,
): Promise<StoredApiKey | undefined> {
  const rows = isDistributed(pool)
    ? await findDistributedKeys(pool, prefix)
    : await queryOnce<KeyRow>(pool, 'select * from find_api_key($1)', [prefix]);
  return rows.find(({ secret_sha256 }) => secretMatches(secret, secret_sha256));
}

/** The statement of `find_api_key`, for each tenant with such a key. Usually, there is only one. */
async function findDistributedKeys(pool: pg.Pool, prefix: string): Promise<readonly KeyRow[]> {
  const tenants = await queryOnce<{ id: string }>(
    pool,
    'select tenant_id as id from api_key_prefixes where prefix = $1',
    [prefix],
  );
  const found: KeyRow[] = [];
  for (const { id } of tenants) {
    const { rows } = await readAsTenant(pool, id, (client) => client.query<KeyRow>(FIND_KEY, [id, prefix]));
    found.push(...rows);
  }
  return found;
}

/** Creates a key for one of the tenant's users. */
export async function issueKey(
  client: Queryable,
  tenantId: string,
  { userId, name, permissions, expiresAt }: NewKey,
): Promise<IssuedKey> {
  const id = uuidv7();
  const key = createApiKey();
  if (isDistributed(client))
    await client.query(
      'insert into api_key_prefixes (prefix, tenant_id) values ($1, $2) on conflict do nothing',
      [key.prefix, tenantId],
    );
  await client.query(
    `insert into api_keys (tenant_id, id, user_id, prefix, secret_sha256, name, permissions, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenantId, id, userId, key.prefix, hashSecret(key.secret), name, permissions, expiresAt],
  );
  return { id, prefix: key.prefix, key: formatApiKey(key) };
}

/**
 * Makes the coordinator of a distributed database forget the keys of a user who is about to be deleted. A prefix that
 * remains after a failure has no effect, because the tenant has no such key.
 */
export async function deleteKeyPrefixes(client: Queryable, tenantId: string, userId: string): Promise<void> {
  if (!isDistributed(client)) return;
  const { rows } = await client.query<{ prefix: string }>(
    'select prefix from api_keys where tenant_id = $1 and user_id = $2',
    [tenantId, userId],
  );
  await client.query('delete from api_key_prefixes where tenant_id = $1 and prefix = any($2)', [
    tenantId,
    rows.map(({ prefix }) => prefix),
  ]);
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
     update api_keys k set revoked_at = least(k.revoked_at, now()) from known
     where k.tenant_id = $1 and k.id = known.id
     returning k.id, k.prefix, k.revoked_at, known.revoked_at is null as is_newly_revoked`,
    [tenantId, value],
  );
  return rows[0];
}

/** Generates a random key. */
export function createApiKey(): ApiKey {
  const prefix = `sk_${randomText(PREFIX_LENGTH)}`;
  const random = randomText(RANDOM_LENGTH);
  return { prefix, secret: random + checksum(prefix, random) };
}

/** Returns the full key, in the form that clients send. */
export function formatApiKey({ prefix, secret }: ApiKey): string {
  return `${prefix}.${secret}`;
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares a secret with a stored hash in constant time. */
function secretMatches(secret: string, storedHash: Buffer): boolean {
  return timingSafeEqual(hashSecret(secret), storedHash);
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function checksum(prefix: string, random: string): string {
  let remaining = crc32(`${prefix}.${random}`);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = `${ALPHABET[remaining % ALPHABET.length]}${text}`;
    remaining = Math.floor(remaining / ALPHABET.length);
  }
  return text;
}
