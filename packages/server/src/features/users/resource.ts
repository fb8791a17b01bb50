import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../access/permissions.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { ROLES } from '../roles/resource.ts';
import type { UserRow } from './repository.ts';

export const USERS = 'users';

export const users = describeResource({
  type: USERS,
  description: 'Somebody, or something, that has API keys and may do what its roles allow',
  attributes: {
    email: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'The sum of what the roles allow' }),
    inserted_at: timestamp,
  },
  toMany: { roles: ROLES },
});

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
