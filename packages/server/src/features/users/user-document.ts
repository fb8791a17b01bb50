import { z } from 'zod';
import { ROLES } from '../../resources/roles.ts';
import { USERS } from '../../resources/users.ts';

/** Zod's pattern without the lookahead, which client generators for some languages do not support. */
const EMAIL =
  /^[A-Za-z0-9_'+-]+(?:\.[A-Za-z0-9_'+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;

const email = z
  .email({ pattern: EMAIL })
  .max(254)
  .meta({ description: 'Email address. Must be unique in the tenant, regardless of case.' });

const roles = z
  .strictObject({ data: z.array(z.strictObject({ type: z.literal(ROLES), id: z.uuid() })).max(100) })
  .meta({ description: "Complete list of the user's roles. It replaces the current list." });

/** The request document for creating a user. */
export const newUser = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(USERS),
      attributes: z.strictObject({ email }),
      relationships: z.strictObject({ roles: roles.optional() }).optional(),
    }),
  })
  .meta({ id: 'NewUser', description: 'The user to create.' });

/** The request document for updating a user. Absent members remain unchanged. */
export const userChanges = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(USERS),
      id: z.uuid(),
      attributes: z.strictObject({ email: email.optional() }).optional(),
      relationships: z.strictObject({ roles: roles.optional() }).optional(),
    }),
  })
  .meta({ id: 'UserChanges', description: 'Changes to a user. Absent members remain unchanged.' });

export type NewUser = z.infer<typeof newUser>;
export type UserChanges = z.infer<typeof userChanges>;
