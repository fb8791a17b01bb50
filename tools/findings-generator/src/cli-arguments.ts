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

/** What the command line asks for. */
export interface Request {
  help: boolean;
  options: GeneratorOptions;
  /** Where to write; standard output when there is none. */
  output: string | undefined;
}

/** The command line cannot be understood; the message is one line for the user. */
export class UsageError extends Error {
  readonly code = 'usage';
}

const MEANINGS: Readonly<Record<NumericOption, string>> = {
  records: 'records in the file',
  seed: 'changes statuses, mutes, tags and metadata, not identities',
  accounts: 'cloud accounts',
  checks: 'distinct checks',
  resources: 'distinct resources of each account',
  failShare: 'share of FAIL; the rest is PASS with 2 % MANUAL',
  invalidShare: 'share of records that Sluice must reject',
  mutedShare: 'share of muted records',
  time: 'time of the scan, in seconds since 1970',
  indent: 'spaces of indentation, 0 = compact',
};

// Plain decimal numbers only; Number() alone would take blanks and hexadecimal too.
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e\d+)?$/i;

/** Reads the arguments; throws a UsageError when one of them is wrong. */
export function readArguments(args: readonly string[]): Request {
  const values = parsed(args);
  const given: Partial<GeneratorOptions> = {};
  for (const { name } of NUMERIC_OPTIONS) {
    const text = values[flagOf(name)];
    if (typeof text === 'string') {
      given[name] = NUMBER.test(text) ? Number(text) : Number.NaN;
    }
  }
  const { provider, output } = values;
  const scanId = values['scan-id'];
  if (typeof scanId === 'string') {
    given.scanId = scanId;
  }
  if (output === '') {
    throw new UsageError('--output must name a file');
  }
  try {
    if (typeof provider === 'string') {
      given.provider = providerNamed(provider);
    }
    const help = values.help === true;
    return { help, options: completeOptions(given), output: typeof output === 'string' ? output : undefined };
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(`--${flagOf(error.option)} ${error.rule}`) : error;
  }
}

/** The text of --help. */
export function helpText(): string {
  const lines = NUMERIC_OPTIONS.map(({ name }) => [flagOf(name), 'N', MEANINGS[name], DEFAULT_OPTIONS[name]]);
  lines.push(['provider', 'P', PROVIDER_NAMES.join(', '), DEFAULT_OPTIONS.provider]);
  lines.push(['scan-id', 'ID', 'scan id of every record', 'one per account']);
  lines.push(['output', 'FILE', 'where to write', 'standard output']);
  return [
    'Writes a file of generated OCSF Detection Findings: the same options give the same bytes.',
    '',
    'usage: node tools/findings-generator/src/cli.ts [options]',
    '',
    ...lines.map(
      ([flag, value, text, usual]) => `  ${`--${flag} ${value}`.padEnd(20)} ${text} (default: ${usual})`,
    ),
    `  ${'--help'.padEnd(20)} this text`,
    '',
  ].join('\n');
}

function parsed(args: readonly string[]) {
  const named = [...NUMERIC_OPTIONS.map(({ name }) => flagOf(name)), 'provider', 'scan-id', 'output'];
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const flag of named) {
    options[flag] = { type: 'string' };
  }
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Some of the messages go on with advice on further lines.
    throw new UsageError(error instanceof Error ? error.message.split('\n', 1).join('') : String(error));
  }
}

function providerNamed(text: string) {
  const name = PROVIDER_NAMES.find((known) => known === text);
  if (name === undefined) {
    throw new OptionError('provider', `must be one of ${PROVIDER_NAMES.join(', ')}`);
  }
  return name;
}

/** failShare becomes fail-share. */
function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
