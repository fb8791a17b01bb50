import { z } from 'zod';
import { PERMISSIONS } from '../../auth/permissions.ts';
import { shortText } from '../../jsonapi/short-text.ts';
import { ROLES } from '../../resources/roles.ts';

const name = shortText().meta({ description: 'Name of the role. Unique in the tenant.' });
const permissions = z
  .array(z.enum(PERMISSIONS))
  .meta({ description: 'Permissions of the role. The API key must have all of them.' });

/** The request document for creating a role. */
export const newRole = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(ROLES),
      attributes: z.strictObject({ name, permissions }),
    }),
  })
  .meta({ id: 'NewRole', description: 'The role to create.' });

/** The request document for updating a role. Absent members remain unchanged. */
export const roleChanges = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(ROLES),
      id: z.uuid(),
      attributes: z.strictObject({ name: name.optional(), permissions: permissions.optional() }).optional(),
    }),
  })
  .meta({ id: 'RoleChanges', description: 'Changes to a role. Absent members remain unchanged.' });

export type NewRole = z.infer<typeof newRole>;
export type RoleChanges = z.infer<typeof roleChanges>;
