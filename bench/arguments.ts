import { parseArgs } from 'node:util';
import { ALL_SUITES, DEFAULT_SUITES } from './all-suites.ts';
import type { Suite } from './suite.ts';

export const USAGE = `npm run bench -- [SUITE...] [--long] [--records N,N] [--rounds N] [--json FILE]

SUITE: ${ALL_SUITES.map(({ name }) => name).join(', ')}; without one: ${DEFAULT_SUITES.join(', ')}
--long         the whole, about two hours, instead of half of one
--records N,N  sizes of the files of ingest and upload; 100000, with --long also 1000000;
               other suites take a part or a multiple of the smallest
--rounds N     how often what is compared is measured; 3
--json FILE    writes all results there, too`;

const RECORDS = [100_000];
const LONG_RECORDS = [100_000, 1_000_000];
const ROUNDS = 3;

/** What the command line asks for. */
export interface BenchArguments {
  readonly suites: readonly Suite[];
  readonly long: boolean;
  readonly records: readonly number[];
  readonly rounds: number;
  readonly json: string | undefined;
}

/** Cannot be understood; the message is one line. */
export class ArgumentsError extends Error {}

/** Reads the arguments; throws an ArgumentsError where one of them is wrong. */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parsed(args);
  const { long = false, records, rounds, json } = values;
  return {
    suites: chosen(positionals),
    long,
    records: records === undefined ? (long ? LONG_RECORDS : RECORDS) : records.split(',').map(wholeNumber),
    rounds: rounds === undefined ? ROUNDS : wholeNumber(rounds),
    json,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        long: { type: 'boolean' },
        records: { type: 'string' },
        rounds: { type: 'string' },
        json: { type: 'string' },
      },
    });
  } catch (error) {
    throw new ArgumentsError(error instanceof Error ? error.message : String(error));
  }
}

function chosen(names: readonly string[]): readonly Suite[] {
  const unknown = names.find((name) => !ALL_SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined) throw new ArgumentsError(`there is no suite ${unknown}`);
  const wanted = names.length === 0 ? DEFAULT_SUITES : names;
  return ALL_SUITES.filter(({ name }) => wanted.includes(name));
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new ArgumentsError(`${text} is no whole number above 0`);
  return Number(text);
}
