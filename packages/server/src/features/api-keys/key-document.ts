import { z } from 'zod';
import { PERMISSIONS } from '../../access/permissions.ts';
import { shortText } from '../../jsonapi/short-text.ts';
import { USERS } from '../users/resource.ts';
import { API_KEYS } from './resource.ts';

/** The last time that has four digits of a year in UTC. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const expiry = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), 'It must be in the future')
  .refine((text) => Date.parse(text) <= LAST_TIME, 'It must be before the year 10000');

/** What makes a key. */
export const newApiKey = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(API_KEYS),
      attributes: z.strictObject({
        name: shortText('a name').meta({ description: 'What it is for' }),
        permissions: z.array(z.enum(PERMISSIONS)).optional().meta({
          description:
            'What to narrow the key to. Without it: all that its user may, where the key that asks is not narrowed and its own user; else what the key that asks and the user both may',
        }),
        expires_at: expiry.nullish().meta({ description: 'With a zone, in the future; without it: never' }),
      }),
      relationships: z
        .strictObject({
          user: z
            .strictObject({ data: z.strictObject({ type: z.literal(USERS), id: z.uuid() }) })
            .optional()
            .meta({
              description: 'Whose key it is; without it: your own. For others manage_users is needed',
            }),
        })
        .optional(),
    }),
  })
  .meta({ id: 'NewApiKey' });

export type NewApiKey = z.infer<typeof newApiKey>;
