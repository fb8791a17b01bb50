import { z } from 'zod';

const texts = z.array(z.string('must be a string; put it in quotes'), 'must be a list of strings');
const atLeastOne = texts.min(1, 'must not be empty; use "*" for all');

const exceptionsSchema = z.strictObject(
  {
    Accounts: texts.optional(),
    Regions: texts.optional(),
    Resources: texts.optional(),
    Tags: texts.optional(),
  },
  'accepts Accounts, Regions, Resources and Tags',
);

const entrySchema = z.strictObject(
  {
    Regions: atLeastOne,
    Resources: atLeastOne,
    Tags: texts.optional(),
    Exceptions: exceptionsSchema.optional(),
    Description: z.string('must be a string').optional(),
  },
  'accepts Regions and Resources (both required), Tags, Exceptions and Description',
);

const accountSchema = z.strictObject(
  { Checks: z.record(z.string(), entrySchema, 'must contain check IDs, or "*"') },
  'accepts Checks',
);

/**
 * A mutelist in Prowler's format, except that unknown keys are rejected. Messages are phrased to follow the name of
 * their subject.
 */
export const mutelistSchema = z.strictObject(
  {
    Mutelist: z.strictObject(
      { Accounts: z.record(z.string(), accountSchema, 'must contain organization domains, or "*"') },
      'accepts Accounts',
    ),
  },
  'accepts the key Mutelist',
);

export type MutelistEntry = z.output<typeof entrySchema>;
export type MutelistExceptions = z.output<typeof exceptionsSchema>;
