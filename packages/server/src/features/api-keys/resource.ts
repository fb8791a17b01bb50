import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource, type ResourceDescription, timestamp } from '../../jsonapi/schemas.ts';
import { isUuid } from '../../jsonapi/uuid.ts';
import { USERS } from '../../resources/users.ts';

export const API_KEYS = 'api-keys';

const ATTRIBUTES = {
  prefix: z.string().meta({ description: 'Public part of the key, up to the dot.' }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Name of the key. `null` for keys created with an admin command.' }),
  permissions: z.array(z.enum(PERMISSIONS)).nullable().meta({
    description:
      'Permissions that the key is restricted to. `null` if the key has all permissions of its user.',
  }),
  inserted_at: timestamp.meta({ description: 'Time at which the key was created.' }),
  expires_at: timestamp
    .nullable()
    .meta({ description: 'Time at which the key expires. `null` if it never expires.' }),
  revoked_at: timestamp
    .nullable()
    .meta({ description: 'Time at which the key was revoked. `null` if it has not been revoked.' }),
  last_used_at: timestamp.nullable().meta({
    description:
      'Time at which the key was last accepted. Updated periodically, once per minute by default; the most recent updates are lost if the process is killed. `null` if the key has never been used.',
  }),
};

const apiKeys = describeResource({
  type: API_KEYS,
  description: 'A key that authenticates requests on behalf of a user.',
  attributes: ATTRIBUTES,
  relationships: { user: USERS },
});

/** The resource that is returned when a key is created. No other response contains the full key. */
export const createdApiKeys: ResourceDescription = {
  ...apiKeys,
  schema: z
    .strictObject({
      type: z.literal(API_KEYS),
      id: z.uuid(),
      attributes: z.strictObject({
        ...ATTRIBUTES,
        key: z.string().meta({ description: 'The full key. Store it now; it cannot be retrieved again.' }),
      }),
      relationships: z.strictObject({
        user: z.strictObject({ data: z.strictObject({ type: z.literal(USERS), id: z.uuid() }) }),
      }),
      links: z.strictObject({ self: z.url() }),
    })
    .meta({ id: 'CreatedApiKey', description: 'A new API key, including the full key.' }),
};

/** An API key as returned by the API, without its secret. Times are in ISO 8601 format with microseconds and `Z`. */
export interface ApiKeyRow {
  readonly id: string;
  readonly prefix: string;
  readonly name: string | null;
  /** As stored; `null` if the key is unrestricted. */
  readonly permissions: readonly string[] | null;
  readonly inserted_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly user_id: string;
}

/** Returns the URL of a key. */
export function apiKeyUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${API_KEYS}/${id}`;
}

/** Converts a key to a resource object, without its secret. */
export function apiKeyResource(row: ApiKeyRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, user_id, prefix, name, permissions, inserted_at, expires_at, revoked_at, last_used_at } = row;
  const restricted = permissions === null ? null : permissionsAmong(permissions);
  const attributes = {
    prefix,
    name,
    permissions: restricted,
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

const COLUMNS = `k.id, k.prefix, k.name, k.permissions, k.user_id, ${utcTimestamp('k.created_at')} as inserted_at,
  ${utcTimestamp('k.expires_at')} as expires_at, ${utcTimestamp('k.revoked_at')} as revoked_at,
  ${utcTimestamp('k.last_used_at')} as last_used_at`;

/** Selects a page of keys. */
export async function listApiKeys(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<ApiKeyRow>> {
  const source = {
    columns: COLUMNS,
    table: 'api_keys k',
    tenantColumn: 'k.tenant_id',
    tieBreaker: { sql: 'k.id', type: 'uuid', descending: false },
  };
  return await selectPage<ApiKeyRow>(client, source, tenantId, query);
}

/** Returns the keys with these ids, in any order. Unknown ids are skipped. */
export async function findApiKeysByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly ApiKeyRow[]> {
  const { rows } = await client.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys k where k.tenant_id = $1 and k.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

/** API keys. Requires `manage_account`. */
export const apiKeyResourceType: ResourceType<ApiKeyRow> = {
  resource: apiKeys,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findApiKeysByIds,
  toResource: apiKeyResource,
  notFoundDetail: 'No API key has this ID.',
};
