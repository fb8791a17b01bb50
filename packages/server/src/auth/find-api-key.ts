import type pg from 'pg';
import { queryOnce } from '../db/transaction.ts';
import { type ApiKey, secretMatches } from './api-key.ts';

/** An API key with what its user and its tenant allow. It may be revoked or expired. */
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

/** Returns the key with this prefix and secret. `undefined` if there is none. */
export async function findApiKey(
  pool: pg.Pool,
  { prefix, secret }: ApiKey,
): Promise<StoredApiKey | undefined> {
  const rows = await queryOnce<StoredApiKey & { readonly secret_sha256: Buffer }>(
    pool,
    'select * from find_api_key($1)',
    [prefix],
  );
  return rows.find(({ secret_sha256 }) => secretMatches(secret, secret_sha256));
}
