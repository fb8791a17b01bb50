import { z } from 'zod';
import { PERMISSIONS } from '../../access/permissions.ts';
import { shortText } from '../../jsonapi/short-text.ts';
import { ROLES } from './resource.ts';

const name = shortText('a name').meta({ description: 'No other role of the tenant has it' });
const permissions = z.array(z.enum(PERMISSIONS)).meta({ description: 'Only what the API key has itself' });

/** What makes a role. */
export const newRole = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(ROLES),
      attributes: z.strictObject({ name, permissions }),
    }),
  })
  .meta({ id: 'NewRole' });

/** What changes a role: only what is named. */
export const roleChanges = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(ROLES),
      id: z.uuid(),
      attributes: z.strictObject({ name: name.optional(), permissions: permissions.optional() }).optional(),
    }),
  })
  .meta({ id: 'RoleChanges' });

export type NewRole = z.infer<typeof newRole>;
export type RoleChanges = z.infer<typeof roleChanges>;
