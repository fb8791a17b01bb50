import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Permission } from '../../../lib/api/types.ts';

export interface NewKey {
  readonly name: string;
  /** Omit to grant all of the user's permissions. */
  readonly permissions: readonly Permission[] | undefined;
  /** Omit for no expiration. */
  readonly expiresAt: Date | undefined;
  /** The user's ID. Omit to create a key for the current user. */
  readonly userId: string | undefined;
}

/** Creates a key. Only this response contains the key's value. Throws a `RequestError`. */
export async function createApiKey(api: Api, { name, permissions, expiresAt, userId }: NewKey) {
  const attributes = {
    name,
    ...(permissions !== undefined && { permissions: [...permissions] }),
    ...(expiresAt !== undefined && { expires_at: expiresAt.toISOString() }),
  };
  const relationships =
    userId === undefined ? {} : { user: { data: { type: 'users' as const, id: userId } } };
  const body = { data: { type: 'api-keys' as const, attributes, relationships } };
  return (await readDocument(api.POST('/api/v1/api-keys', { body }))).data.attributes;
}
