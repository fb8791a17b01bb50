import { nearestWord } from '../lib/nearest-word.ts';
import { UsageError } from './command.ts';

/** Returns the known command (one or two words) at the start of the command line, if any. */
export function commandName(args: readonly string[], known: readonly string[]): string | undefined {
  const [first = '', second = ''] = args;
  return [first, `${first} ${second}`].find((name) => known.includes(name));
}

/** The error for an unknown command, which suggests similar commands. */
export function unknownCommand(args: readonly string[], known: readonly string[]): UsageError {
  const [first = '', second = ''] = args;
  if (first === '') return new UsageError('missing command');
  const given = second.startsWith('-') ? first : `${first} ${second}`.trim();
  const nearest = nearestWord(given, known) ?? nearestWord(first, known);
  const similar = nearest === undefined ? known.filter((name) => name.startsWith(`${first} `)) : [nearest];
  const hint =
    similar.length === 0 ? '' : `; did you mean ${similar.map((name) => `'${name}'`).join(' or ')}?`;
  return new UsageError(`unknown command '${given}'${hint}`);
}
