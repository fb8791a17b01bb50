import { type Command, InvalidArgumentError, Option } from 'commander';
import { printingOptions } from './printing-options.ts';
import { usageError } from './usage-error.ts';

const DEFAULT_WAIT_SECONDS = 3600;

/** Adds the flags of `scanner push` to a command. */
export function addPushOptions(command: Command): Command {
  const options = [
    ...waitOptions(),
    new Option(
      '--provider <name>',
      'default provider for records that do not specify one, such as some Kubernetes output',
    ),
    new Option('--account <uid>', 'default account for records that do not specify one'),
    new Option('--idempotency-key <key>', 'idempotency key for the upload (default: hash of the content)'),
    new Option('--json', 'print only a JSON array with one object per file'),
    ...printingOptions(),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/** The flags that make a push wait for its job. */
export function waitOptions(): readonly Option[] {
  return [
    new Option('--wait', 'wait for the ingestion job, and print its result and first errors'),
    new Option(
      '--wait-timeout <seconds>',
      `maximum time to wait; 0 means no limit (default: ${DEFAULT_WAIT_SECONDS})`,
    ).argParser(seconds),
  ];
}

/**
 * The maximum time to wait in seconds; 0: no limit; `undefined` without --wait. Throws a ScannerError with the code
 * `usage`.
 */
export function readWaitSeconds(flags: {
  readonly wait: boolean;
  readonly waitTimeout?: number | undefined;
}): number | undefined {
  if (flags.waitTimeout !== undefined && !flags.wait) throw usageError('--wait-timeout requires --wait');
  return flags.wait ? (flags.waitTimeout ?? DEFAULT_WAIT_SECONDS) : undefined;
}

function seconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, or 0.');
}
