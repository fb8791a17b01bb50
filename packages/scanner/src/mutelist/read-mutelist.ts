import { checkIds as idsInDialects } from '../checks/dialect-names.ts';
import { readYamlFile } from '../config-file/yaml-file.ts';
import type { Log } from '../log.ts';
import { suggestion } from '../selection/closest-match.ts';
import type { MutedAccount, MutedChecks, MuteExceptions, Mutelist } from './mutelist.ts';
import { type MutelistEntry, mutelistSchema } from './mutelist-schema.ts';
import { type Pattern, readPattern } from './pattern.ts';

/** Reads a text of the file at this path as a pattern. */
type ReadAt = (path: readonly PropertyKey[], text: string) => Pattern;

/**
 * Reads the file that `--mutelist-file` names. Throws a ScannerError `mutelist` (exit code 2) with file, line and
 * column; warns of an entry that names no check.
 */
export async function readMutelist(path: string, checkIds: readonly string[], log: Log): Promise<Mutelist> {
  const file = await readYamlFile(path, mutelistSchema, { code: 'mutelist', flag: '--mutelist-file' });
  const readAt: ReadAt = (at, text) => {
    try {
      return readPattern(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw file.fault(
        at,
        `'${text}' is no regular expression; put a backslash before a bracket or another sign that stands for itself`,
      );
    }
  };
  const accounts = Object.entries(file.value.Mutelist.Accounts).map(([account, { Checks }]): MutedAccount => {
    const entries = Object.entries(Checks).map(([check, entry]) => {
      const at = ['Mutelist', 'Accounts', account, 'Checks', check];
      const muted = readEntry(check, entry, at, readAt);
      if (!checkIds.flatMap(idsInDialects).some(muted.check)) {
        const hint = suggestion(check, checkIds, 'scanner directory --list-checks shows all');
        log.warn(`${file.position(at)}: '${check}' fits no check${hint}`);
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
    // An exception that says nothing must not take back the whole entry.
    exceptions: Object.values(exceptions).some((patterns) => patterns.length > 0) ? exceptions : undefined,
  };
}
