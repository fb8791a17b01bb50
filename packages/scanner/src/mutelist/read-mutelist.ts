import { z } from 'zod';
import { checkIds as idsInDialects } from '../directory/dialect-names.ts';
import { suggestion } from '../lib/known-values.ts';
import { readYamlFile } from '../lib/yaml-file.ts';
import type { Log } from '../terminal/log.ts';
import type { MutedAccount, MutedChecks, MuteExceptions, Mutelist, Pattern } from './mutelist.ts';

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
const mutelistSchema = z.strictObject(
  {
    Mutelist: z.strictObject(
      { Accounts: z.record(z.string(), accountSchema, 'must contain organization domains, or "*"') },
      'accepts Accounts',
    ),
  },
  'accepts the key Mutelist',
);

type MutelistEntry = z.output<typeof entrySchema>;

/** Parses the string at this path in the file as a pattern. */
type ReadAt = (path: readonly PropertyKey[], text: string) => Pattern;

/**
 * Reads the file of `--mutelist-file`. Warns about an entry that matches no check. Throws a ScannerError with the code
 * `mutelist` (exit code 2) that names the file, line and column.
 */
export async function readMutelist(path: string, checkIds: readonly string[], log: Log): Promise<Mutelist> {
  const file = await readYamlFile(path, mutelistSchema, { code: 'mutelist', flag: '--mutelist-file' });
  const readAt: ReadAt = (at, text) => {
    try {
      return readPattern(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw file.errorAt(
        at,
        `'${text}' is not a valid regular expression; escape brackets and other special characters with a backslash`,
      );
    }
  };
  const accounts = Object.entries(file.value.Mutelist.Accounts).map(([account, { Checks }]): MutedAccount => {
    const entries = Object.entries(Checks).map(([check, entry]) => {
      const at = ['Mutelist', 'Accounts', account, 'Checks', check];
      const muted = readEntry(check, entry, at, readAt);
      if (!checkIds.flatMap(idsInDialects).some(muted.check)) {
        const hint = suggestion(check, checkIds, 'run scanner directory --list-checks to list all');
        log.warn(`${file.position(at)}: '${check}' matches no check${hint}`);
      }
      return muted;
    });
    return { account: account.toLowerCase(), entries };
  });
  return { accounts };
}

function readEntry(
  check: string,
  { Regions, Resources, Tags = [], Exceptions }: MutelistEntry,
  at: readonly PropertyKey[],
  readAt: ReadAt,
): MutedChecks {
  const read = (texts: readonly string[], ...keys: readonly string[]) =>
    texts.map((text, index) => readAt([...at, ...keys, index], text));
  const excepted = (key: 'Accounts' | 'Regions' | 'Resources' | 'Tags') =>
    read(Exceptions?.[key] ?? [], 'Exceptions', key);
  const exceptions: MuteExceptions = {
    accounts: excepted('Accounts'),
    regions: excepted('Regions'),
    resources: excepted('Resources'),
    tags: excepted('Tags'),
  };
  return {
    check: readAt(at, check),
    regions: read(Regions, 'Regions'),
    resources: read(Resources, 'Resources'),
    tags: read(Tags, 'Tags'),
    // An empty exception must not disable the entry.
    exceptions: Object.values(exceptions).some((patterns) => patterns.length > 0) ? exceptions : undefined,
  };
}

/**
 * Parses a literal, or a regular expression that must match the complete string. A `*` that does not follow a `.`,
 * bracket or backslash matches any text. Patterns are case-sensitive. Throws a SyntaxError if the text is not a valid
 * regular expression.
 */
function readPattern(text: string): Pattern {
  const source = text.replaceAll(/(?<![.)\]}\\])\*/g, '.*');
  const expression = new RegExp(`^(?:${source})$`, 's');
  return (value) => value === text || expression.test(value);
}
