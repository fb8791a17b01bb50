import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Permission } from '../../../lib/api/types.ts';

export interface NewKey {
  readonly name: string;
  /** `undefined`: not narrowed. */
  readonly permissions: readonly Permission[] | undefined;
  /** `undefined`: never. */
  readonly expiresAt: Date | undefined;
  /** Whose key it is, by id; `undefined`: the user of the key in use. */
  readonly userId: string | undefined;
}

/** Makes a key; the answer is the only one that holds it. Throws a `RequestError`. */
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
