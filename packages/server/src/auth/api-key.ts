import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type pg from 'pg';
import { queryOnce } from '../db/transaction.ts';

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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX_LENGTH = 8;
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(
  `^(sk_[${ALPHABET}]{${PREFIX_LENGTH}})\\.([${ALPHABET}]{${RANDOM_LENGTH}})([${ALPHABET}]{${CHECKSUM_LENGTH}})$`,
);

export function createApiKey(): ApiKey {
  const prefix = `sk_${randomText(PREFIX_LENGTH)}`;
  const random = randomText(RANDOM_LENGTH);
  return { prefix, secret: random + checksum(prefix, random) };
}

/** Parses a key. Returns `undefined` if the key is malformed or its checksum is wrong. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, prefix, random, check] = FORM.exec(text) ?? [];
  if (prefix === undefined || random === undefined || check !== checksum(prefix, random)) return undefined;
  return { prefix, secret: random + check };
}

export function formatApiKey({ prefix, secret }: ApiKey): string {
  return `${prefix}.${secret}`;
}

export function hashSecret(secret: string): Buffer {
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
