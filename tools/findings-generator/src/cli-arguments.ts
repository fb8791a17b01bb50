import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import {
  completeOptions,
  DEFAULT_OPTIONS,
  type GeneratorOptions,
  NUMERIC_OPTIONS,
  type NumericOption,
  OptionError,
} from './options.ts';
import { PROVIDER_NAMES } from './providers/provider.ts';

/** The parsed command line. */
export interface CliArguments {
  help: boolean;
  options: GeneratorOptions;
  /** The output file; `undefined` for standard output. */
  output: string | undefined;
}

/** An invalid command line. The message is a single line for the user. */
export class UsageError extends Error {
  readonly code = 'usage';
}

const DESCRIPTIONS: Readonly<Record<NumericOption, string>> = {
  records: 'number of records',
  seed: 'random seed for statuses, muting, tags, and metadata',
  accounts: 'number of cloud accounts',
  checks: 'number of checks',
  resources: 'number of resources of each type per account',
  failShare: 'share of FAIL records; 2% of the others are MANUAL',
  invalidShare: 'share of records that Sluice rejects',
  mutedShare: 'share of muted records',
  time: 'scan time in Unix seconds',
  indent: 'spaces per indentation level; 0 is compact',
};

// Number() alone would also accept blank strings and hexadecimal numbers.
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e\d+)?$/i;

/** Parses the arguments. Throws a UsageError if one is invalid. */
export function parseArguments(args: readonly string[]): CliArguments {
  const values = parseFlags(args);
  const requested: Partial<GeneratorOptions> = {};
  for (const { name } of NUMERIC_OPTIONS) {
    const text = values[flagOf(name)];
    if (typeof text === 'string') {
      requested[name] = NUMBER.test(text) ? Number(text) : Number.NaN;
    }
  }
  const { provider, output } = values;
  const scanId = values['scan-id'];
  if (typeof scanId === 'string') {
    requested.scanId = scanId;
  }
  if (output === '') {
    throw new UsageError('--output must be a file name');
  }
  try {
    if (typeof provider === 'string') {
      requested.provider = parseProvider(provider);
    }
    const help = values.help === true;
    return {
      help,
      options: completeOptions(requested),
      output: typeof output === 'string' ? output : undefined,
    };
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(`--${flagOf(error.option)} ${error.rule}`) : error;
  }
}

function parseFlags(args: readonly string[]) {
  const flags = [...NUMERIC_OPTIONS.map(({ name }) => flagOf(name)), 'provider', 'scan-id', 'output'];
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const flag of flags) {
    options[flag] = { type: 'string' };
  }
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Some messages contain additional lines with advice.
    throw new UsageError(error instanceof Error ? error.message.split('\n', 1).join('') : String(error));
  }
}

function parseProvider(text: string) {
  const name = PROVIDER_NAMES.find((known) => known === text);
  if (name === undefined) {
    throw new OptionError('provider', `must be one of ${PROVIDER_NAMES.join(', ')}`);
  }
  return name;
}

/** Returns the text of `--help`. */
export function helpText(): string {
  const lines = NUMERIC_OPTIONS.map(({ name }) => [
    flagOf(name),
    'N',
    DESCRIPTIONS[name],
    DEFAULT_OPTIONS[name],
  ]);
  lines.push(['provider', 'NAME', PROVIDER_NAMES.join(', '), DEFAULT_OPTIONS.provider]);
  lines.push(['scan-id', 'ID', 'scan ID of all records', 'one per account']);
  lines.push(['output', 'FILE', 'output file', 'standard output']);
  return [
    'Generates OCSF Detection Findings. The same options always produce the same bytes.',
    '',
    'Usage: node tools/findings-generator/src/cli.ts [options]',
    '',
    ...lines.map(
      ([flag, value, description, defaultValue]) =>
        `  ${`--${flag} ${value}`.padEnd(20)} ${description} (default: ${defaultValue})`,
    ),
    `  ${'--help'.padEnd(20)} show this help`,
    '',
  ].join('\n');
}

/** Returns the flag for an option, such as `fail-share` for `failShare`. */
function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
