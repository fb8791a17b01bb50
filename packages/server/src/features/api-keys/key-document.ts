import { z } from 'zod';
import { PERMISSIONS } from '../../auth/permissions.ts';
import { shortText } from '../../jsonapi/short-text.ts';
import { USERS } from '../../resources/users.ts';
import { API_KEYS } from './resource.ts';

/** The latest time with a four-digit year in UTC. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const expiry = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), 'Use a time in the future.')
  .refine((text) => Date.parse(text) <= LAST_TIME, 'Use a time before the year 10000.');

/** The request document for creating an API key. */
export const newApiKey = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(API_KEYS),
      attributes: z.strictObject({
        name: shortText().meta({ description: 'Name that describes the purpose of the key.' }),
        permissions: z.array(z.enum(PERMISSIONS)).optional().meta({
          description:
            "Permissions that the key is restricted to. By default, a key that an unrestricted key creates for its own user has all permissions of that user. Any other new key has the permissions that the creating key shares with the new key's user.",
        }),
        expires_at: expiry.nullish().meta({
          description: 'Expiration time with a UTC offset, in the future. By default, the key never expires.',
        }),
      }),
      relationships: z
        .strictObject({
          user: z
            .strictObject({ data: z.strictObject({ type: z.literal(USERS), id: z.uuid() }) })
            .optional()
            .meta({
              description:
                "User that the key belongs to. Defaults to the creating key's user; any other user requires `manage_users`.",
            }),
        })
        .optional(),
    }),
  })
  .meta({ id: 'NewApiKey', description: 'The API key to create.' });

export type NewApiKey = z.infer<typeof newApiKey>;
