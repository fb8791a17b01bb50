import { z } from 'zod';
import { PERMISSIONS, permissionsAmong } from '../../auth/permissions.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import type { RoleRow } from './repository.ts';

export const ROLES = 'roles';

export const roles = describeResource({
  type: ROLES,
  description: 'A named set of permissions that can be assigned to users.',
  attributes: {
    name: z.string().meta({ description: 'Name of the role. Unique in the tenant.' }),
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'Permissions that the role grants.' }),
    users: z.int().min(0).meta({ description: 'Number of users with this role.' }),
    inserted_at: timestamp.meta({ description: 'Time at which the role was created.' }),
  },
});

/** The URL of a role. */
export function roleUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${ROLES}/${id}`;
}

/** Converts a role to a resource object. */
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
