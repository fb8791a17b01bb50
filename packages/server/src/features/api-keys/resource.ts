import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../access/permissions.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, type ResourceDescription, timestamp } from '../../jsonapi/schemas.ts';
import { USERS } from '../users/resource.ts';
import type { ApiKeyRow } from './repository.ts';

export const API_KEYS = 'api-keys';

const ATTRIBUTES = {
  prefix: z.string().meta({ description: 'What the key begins with, up to the dot' }),
  name: z.string().nullable().meta({ description: 'null: a key that an operator made' }),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .nullable()
    .meta({ description: 'What the key is narrowed to; null: all that its user may do' }),
  inserted_at: timestamp,
  expires_at: timestamp.nullable().meta({ description: 'null: never' }),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().meta({
    description:
      'When it was last accepted. Written once in a while (a minute, unless the operator says otherwise), so that a process that is killed takes its latest with it; null: never',
  }),
};

export const apiKeys = describeResource({
  type: API_KEYS,
  description: 'A key by which a program may use this API for a user',
  attributes: ATTRIBUTES,
  relationships: { user: USERS },
});

/** The one answer that holds the key itself. */
export const createdApiKeys: ResourceDescription = {
  ...apiKeys,
  schema: z
    .strictObject({
      type: z.literal(API_KEYS),
      id: z.uuid(),
      attributes: z.strictObject({
        ...ATTRIBUTES,
        key: z.string().meta({ description: 'The key. It is shown this once and stored nowhere: keep it' }),
      }),
      relationships: z.strictObject({
        user: z.strictObject({ data: z.strictObject({ type: z.literal(USERS), id: z.uuid() }) }),
      }),
      links: z.strictObject({ self: z.url() }),
    })
    .meta({ id: 'CreatedApiKey', description: 'A new key, with all of it' }),
};

/** The address of a key. */
export function apiKeyUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${API_KEYS}/${id}`;
}

/** A key as a resource object, without anything secret. */
export function apiKeyResource(row: ApiKeyRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, user_id, prefix, name, permissions, inserted_at, expires_at, revoked_at, last_used_at } = row;
  const narrowed = permissions === null ? null : permissionsAmong(permissions);
  const attributes = {
    prefix,
    name,
    permissions: narrowed,
    inserted_at,
    expires_at,
    revoked_at,
    last_used_at,
  };
  return {
    type: API_KEYS,
    id,
    attributes: selectFields(attributes, fields),
    relationships: { user: { data: { type: USERS, id: user_id } } },
    links: { self: apiKeyUrl(publicUrl, id) },
  };
}
