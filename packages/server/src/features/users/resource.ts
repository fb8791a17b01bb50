import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../auth/permissions.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { ROLES } from '../roles/resource.ts';
import type { UserRow } from './repository.ts';

export const USERS = 'users';

export const users = describeResource({
  type: USERS,
  description: 'A person or a program with API keys. Its roles determine its permissions.',
  attributes: {
    email: z.string().meta({ description: 'Email address. Unique in the tenant, regardless of case.' }),
    permissions: z
      .array(z.enum(PERMISSIONS))
      .meta({ description: "Permissions granted by the user's roles." }),
    inserted_at: timestamp.meta({ description: 'Time at which the user was created.' }),
  },
  toMany: { roles: ROLES },
});

/** The URL of a user. */
export function userUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${USERS}/${id}`;
}

/** Converts a user to a resource object. */
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
