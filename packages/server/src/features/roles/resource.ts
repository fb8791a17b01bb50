import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../access/permissions.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import type { RoleRow } from './repository.ts';

export const ROLES = 'roles';

export const roles = describeResource({
  type: ROLES,
  description: 'Permissions under a name, to be given to users',
  attributes: {
    name: z.string(),
    permissions: z.array(z.enum(PERMISSIONS)),
    users: z.int().min(0).meta({ description: 'How many users have it' }),
    inserted_at: timestamp,
  },
});

/** The address of a role. */
export function roleUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${ROLES}/${id}`;
}

/** A role as a resource object. */
export function roleResource(row: RoleRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, name, permissions, users, inserted_at } = row;
  const attributes = { name, permissions: permissionsAmong(permissions), users, inserted_at };
  return {
    type: ROLES,
    id,
    attributes: selectFields(attributes, fields),
    links: { self: roleUrl(publicUrl, id) },
  };
}
