import { checkIds as idsInDialects } from '../checks/dialect-names.ts';
import { readYamlFile } from '../config-file/yaml-file.ts';
import type { Log } from '../log.ts';
import { suggestion } from '../selection/closest-match.ts';
import type { MutedAccount, MutedChecks, MuteExceptions, Mutelist } from './mutelist.ts';
import { type MutelistEntry, mutelistSchema } from './mutelist-schema.ts';
import { type Pattern, readPattern } from './pattern.ts';

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
