import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../access/permissions.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { type ResourceDescription, timestamp } from '../../jsonapi/schemas.ts';
import { ROLES } from '../roles/resource.ts';
import type { UserRow } from './repository.ts';

export const USERS = 'users';

const ATTRIBUTES = {
  email: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'The sum of what the roles allow' }),
  inserted_at: timestamp,
};
const names = Object.keys(ATTRIBUTES);

/** Described by hand: a user has several roles, and `describeResource` knows relations to one resource. */
export const users: ResourceDescription = {
  type: USERS,
  attributes: names,
  schema: z
    .strictObject({
      type: z.literal(USERS),
      id: z.uuid(),
      attributes: z
        .strictObject(ATTRIBUTES)
        .partial()
        .meta({
          id: 'UserAttributes',
          description: `All of them, or those that fields[${USERS}] names`,
          override: ({ jsonSchema }) => {
            jsonSchema.required = names;
          },
        }),
      relationships: z.strictObject({
        roles: z.strictObject({ data: z.array(z.strictObject({ type: z.literal(ROLES), id: z.string() })) }),
      }),
      links: z.strictObject({ self: z.url() }),
    })
    .meta({
      id: 'User',
      description: 'Somebody, or something, that has API keys and may do what its roles allow',
    }),
};

/** The address of a user. */
export function userUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${USERS}/${id}`;
}

/** A user as a resource object. */
export function userResource(row: UserRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, email, permissions, role_ids, inserted_at } = row;
  const attributes = { email, permissions: permissionsAmong(permissions), inserted_at };
  return {
    type: USERS,
    id,
    attributes: selectFields(attributes, fields),
    relationships: { roles: { data: role_ids.map((roleId) => ({ type: ROLES, id: roleId })) } },
    links: { self: userUrl(publicUrl, id) },
  };
}
