import { nearestWord } from '../nearest-word.ts';
import { UsageError } from './command.ts';

/** The known command of one or two words that these words start with, if any. */
export function commandName(words: readonly string[], known: readonly string[]): string | undefined {
  const [first = '', second = ''] = words;
  return [first, `${first} ${second}`].find((name) => known.includes(name));
}

/** The error for an unknown command, with suggestions of similar ones. */
export function unknownCommand(words: readonly string[], known: readonly string[]): UsageError {
  const [first = '', second = ''] = words;
  if (first === '') return new UsageError('a command is missing');
  const given = second.startsWith('-') ? first : `${first} ${second}`.trim();
  const nearest = nearestWord(given, known) ?? nearestWord(first, known);
  const meant = nearest === undefined ? known.filter((name) => name.startsWith(`${first} `)) : [nearest];
  const hint = meant.length === 0 ? '' : `; did you mean ${meant.map((name) => `'${name}'`).join(' or ')}?`;
  return new UsageError(`unknown command '${given}'${hint}`);
}
