import { type Command, InvalidArgumentError, Option } from 'commander';
import { printingOptions } from './printing-options.ts';
import { usageError } from './usage-error.ts';

const DEFAULT_WAIT_SECONDS = 3600;

/** Puts the flags of `scanner push` onto a command. */
export function addPushOptions(command: Command): Command {
  const options = [
    ...waitOptions(),
    new Option('--provider <name>', 'for records that name no provider, as some Kubernetes outputs do'),
    new Option('--account <uid>', 'for records that name no account'),
    new Option(
      '--idempotency-key <key>',
      'what makes this push the same as another (default: the hash of the content)',
    ),
    new Option('--json', 'one JSON array on stdout, an object for each file, and nothing else'),
    ...printingOptions(),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/** Whether a push waits for the end of its job. */
export function waitOptions(): readonly Option[] {
  return [
    new Option('--wait', 'wait until the job has ended, and print its result and first errors'),
    new Option(
      '--wait-timeout <seconds>',
      `how long to wait; 0 is without limit (default: ${DEFAULT_WAIT_SECONDS})`,
    ).argParser(seconds),
  ];
}

/** How long to wait, in seconds (0: without limit); `undefined`: not at all. Throws a ScannerError `usage`. */
export function readWaitSeconds(flags: {
  readonly wait: boolean;
  readonly waitTimeout?: number | undefined;
}): number | undefined {
  if (flags.waitTimeout !== undefined && !flags.wait) throw usageError('--wait-timeout needs --wait');
  return flags.wait ? (flags.waitTimeout ?? DEFAULT_WAIT_SECONDS) : undefined;
}

function seconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, or 0.');
}
