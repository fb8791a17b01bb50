import assert from 'node:assert/strict';
import type { ApiResponse, Client } from './client.ts';

interface Resource<Attributes> {
  readonly type: string;
  readonly id: string;
  readonly attributes: Attributes;
  readonly links: { readonly self: string };
}

type Identifier = { readonly type: string; readonly id: string };

export type Role = Resource<{
  readonly name: string;
  readonly permissions: string[];
  readonly users: number;
  readonly inserted_at: string;
}>;

export interface User
  extends Resource<{
    readonly email: string;
    readonly permissions: string[];
    readonly inserted_at: string;
  }> {
  readonly relationships: { readonly roles: { readonly data: readonly Identifier[] } };
}

export interface ApiKey
  extends Resource<{
    readonly prefix: string;
    readonly name: string | null;
    readonly permissions: string[] | null;
    readonly inserted_at: string;
    readonly expires_at: string | null;
    readonly revoked_at: string | null;
    readonly last_used_at: string | null;
    /** The key itself, which is returned only once. */
    readonly key?: string;
  }> {
  readonly relationships: { readonly user: { readonly data: Identifier } };
}

/** An ID that belongs to no resource. */
export const UNKNOWN_ID = '0198a000-0000-7000-8000-000000000000';

/** All permissions, in display order. */
export const PERMISSIONS = [
  'manage_ingestions',
  'read_findings',
  'manage_providers',
  'manage_users',
  'manage_account',
  'manage_billing',
  'manage_scans',
];

export const postRole = (
  as: Client,
  name: string,
  permissions: readonly string[] = [],
): Promise<ApiResponse<Role>> =>
  as.document('POST', '/roles', { type: 'roles', attributes: { name, permissions } });

export const postUser = (
  as: Client,
  email: string,
  roles: readonly string[] = [],
): Promise<ApiResponse<User>> =>
  as.document('POST', '/users', { type: 'users', attributes: { email }, relationships: rolesOf(roles) });

export interface KeyAttributes {
  readonly name: string;
  readonly permissions?: readonly string[];
  readonly expires_at?: string;
}

/** Requests a key for the caller, or for this user. */
export const postKey = (as: Client, attributes: KeyAttributes, user?: string): Promise<ApiResponse<ApiKey>> =>
  as.document('POST', '/api-keys', {
    type: 'api-keys',
    attributes,
    ...(user !== undefined && { relationships: { user: { data: { type: 'users', id: user } } } }),
  });

/** Returns the relationships of a user with these roles. */
export function rolesOf(ids: readonly string[]): {
  readonly roles: { readonly data: readonly Identifier[] };
} {
  return { roles: { data: ids.map((id) => ({ type: 'roles', id })) } };
}

/** Returns the resource in a response. The status must be 201. */
export function created<Data>({ status, body }: ApiResponse<Data>): Data {
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}

/** Creates a key, and returns the key itself and the resource. */
export async function makeKey(
  ...asked: Parameters<typeof postKey>
): Promise<ApiKey & { readonly key: string }> {
  const made = created(await postKey(...asked));
  const { key } = made.attributes;
  assert.ok(key !== undefined, 'the key was not returned');
  return { ...made, key };
}

/** Creates a key for this user, and returns the key itself. */
export async function keyOf(as: Client, user: string): Promise<string> {
  return (await makeKey(as, { name: 'test' }, user)).key;
}
