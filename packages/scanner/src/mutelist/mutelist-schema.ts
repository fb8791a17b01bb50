import { z } from 'zod';

const texts = z.array(z.string('must be a text; put it in quotes'), 'must be a list of texts');
const atLeastOne = texts.min(1, 'must name something; "*" stands for all');

const exceptionsSchema = z.strictObject(
  {
    Accounts: texts.optional(),
    Regions: texts.optional(),
    Resources: texts.optional(),
    Tags: texts.optional(),
  },
  'takes Accounts, Regions, Resources and Tags',
);

const entrySchema = z.strictObject(
  {
    Regions: atLeastOne,
    Resources: atLeastOne,
    Tags: texts.optional(),
    Exceptions: exceptionsSchema.optional(),
    Description: z.string('must be a text').optional(),
  },
  'takes Regions and Resources, which it needs, and Tags, Exceptions and Description',
);

const accountSchema = z.strictObject(
  { Checks: z.record(z.string(), entrySchema, 'must name checks, or "*"') },
  'takes Checks',
);

/**
 * A mutelist as scanners of this kind write it (reference E); no other keys than these. Each
 * message goes on after the name of what it is about.
 */
export const mutelistSchema = z.strictObject(
  {
    Mutelist: z.strictObject(
      { Accounts: z.record(z.string(), accountSchema, 'must name domains of organizations, or "*"') },
      'takes Accounts',
    ),
  },
  'takes the key Mutelist',
);

export type MutelistEntry = z.output<typeof entrySchema>;
export type MutelistExceptions = z.output<typeof exceptionsSchema>;
