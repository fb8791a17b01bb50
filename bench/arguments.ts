import { parseArgs } from 'node:util';
import { ALL_SUITES, DEFAULT_SUITES } from './all-suites.ts';
import type { Suite } from './suite.ts';

export const USAGE = `npm run bench -- [SUITE...] [--long] [--records N,N] [--rounds N] [--json FILE]

SUITE          ${ALL_SUITES.map(({ name }) => name).join(', ')}
               default: ${DEFAULT_SUITES.join(', ')}
--long         run the complete benchmark (about two hours instead of half an hour)
--records N,N  record counts of the files for ingest, adverse, profile and upload
               (default: 100000; with --long also 1000000), and of the tenant for reading
               (the smallest; default: 1000000);
               the other suites derive their counts from the smallest
--rounds N     repetitions of each measurement (default: 3)
--json FILE    also write all results to FILE
--help         print this help`;

const RECORDS = [100_000];
const LONG_RECORDS = [100_000, 1_000_000];
const ROUNDS = 3;

/** The parsed command line. */
export interface BenchArguments {
  readonly suites: readonly Suite[];
  readonly long: boolean;
  /** The option; by default, `recordsOf` a suite. */
  readonly records: readonly number[] | undefined;
  readonly rounds: number;
  readonly json: string | undefined;
}

/** An invalid command line. The message is a single line. */
export class ArgumentsError extends Error {}

/** Parses the command line; throws an `ArgumentsError` if an argument is invalid. */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values, positionals } = parseWords(args);
  const { long = false, records, rounds, json } = values;
  return {
    suites: selectSuites(positionals),
    long,
    records: records?.split(',').map(parsePositiveInteger),
    rounds: rounds === undefined ? ROUNDS : parsePositiveInteger(rounds),
    json,
  };
}

/** The record counts with which a suite runs. */
export function recordsOf(suite: Suite, { records, long }: BenchArguments): readonly number[] {
  return records ?? suite.records ?? (long ? LONG_RECORDS : RECORDS);
}

function parseWords(args: readonly string[]) {
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

function selectSuites(names: readonly string[]): readonly Suite[] {
  const unknown = names.find((name) => !ALL_SUITES.some((suite) => suite.name === name));
  if (unknown !== undefined) throw new ArgumentsError(`Unknown suite: ${unknown}`);
  const selected = names.length === 0 ? DEFAULT_SUITES : names;
  return ALL_SUITES.filter(({ name }) => selected.includes(name));
}

/** Throws an `ArgumentsError` if the text is not a positive integer. */
export function parsePositiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new ArgumentsError(`Not a positive integer: ${text}`);
  return Number(text);
}
