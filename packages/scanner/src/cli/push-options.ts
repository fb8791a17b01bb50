import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { COVERAGES, type Coverage } from '../client/coverage.ts';
import { usageError } from '../lib/errors.ts';
import { matchKnownValue } from '../lib/known-values.ts';
import { GATE_SEVERITIES, type GateSeverity } from '../push/gate-severity.ts';
import { type Labels, readLabels } from '../push/labels.ts';
import { LOG_LEVELS, type LogLevel } from '../terminal/log.ts';

const DEFAULT_WAIT_SECONDS = 3600;

const text = z.string().optional();
const isOn = z.boolean().default(false);

/** The parsed command line, keyed by option attribute name. */
const parsedSchema = z.object({
  wait: isOn,
  waitTimeout: z.number().optional(),
  provider: text,
  account: text,
  idempotencyKey: text,
  label: z.array(z.string()).default([]),
  coverage: z.string().default('partial'),
  failOn: text,
  dryRun: isOn,
  json: isOn,
  color: z.boolean(),
  logLevel: z.string(),
  logFile: text,
});

/** The flags of `scanner push` and `scanner retry`. */
export interface PushFlags
  extends Omit<
    z.output<typeof parsedSchema>,
    'wait' | 'waitTimeout' | 'logLevel' | 'label' | 'coverage' | 'failOn'
  > {
  readonly labels: Labels;
  readonly coverage: Coverage;
  /** The maximum time in seconds to wait for each job; 0 means no limit, and `undefined` means no wait. */
  readonly waitSeconds: number | undefined;
  readonly failOn: GateSeverity | undefined;
  readonly logLevel: LogLevel;
}

/** Adds the flags of `scanner push` to a command. */
export function addPushOptions(command: Command): Command {
  for (const option of [...waitOptions(), failOnOption(), dryRunOption(), labelOption(), coverageOption()])
    command.addOption(option);
  return addJobOptions(command, {
    idempotencyKey: 'idempotency key for the upload (default: hash of the content)',
    json: 'print only a JSON array with one object per file',
  });
}

/** Adds the flags of `scanner retry` to a command. */
export function addRetryOptions(command: Command): Command {
  for (const option of waitOptions()) command.addOption(option);
  return addJobOptions(command, {
    idempotencyKey: 'idempotency key for the retry (default: hash of the ID and the defaults)',
    json: 'print only a JSON object',
  });
}

function addJobOptions(
  command: Command,
  descriptions: { readonly idempotencyKey: string; readonly json: string },
): Command {
  const options = [
    new Option(
      '--provider <name>',
      'default provider for records that do not specify one, such as some Kubernetes output',
    ),
    new Option('--account <uid>', 'default account for records that do not specify one'),
    new Option('--idempotency-key <key>', descriptions.idempotencyKey),
    new Option('--json', descriptions.json),
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

/** The flag that fails the push because of its findings. */
export function failOnOption(): Option {
  return new Option(
    '--fail-on <severity>',
    `exit with 4 if new, regressed or reopened findings fail with this severity or worse (implies --wait): ${GATE_SEVERITIES.join(', ')}`,
  );
}

/** The flag that only reports what a push would do. */
function dryRunOption(): Option {
  return new Option(
    '--dry-run',
    'print what the push would do, without ingesting or billing anything (implies --wait)',
  );
}

/** The flag that adds a label to uploads. It can be repeated. */
export function labelOption(): Option {
  return new Option(
    '--label <key=value>',
    'label of the upload, such as branch=main; repeat it for up to ten labels',
  )
    .argParser((text: string, previous: readonly string[]) => [...previous, text])
    .default([], 'none');
}

/** The flag that declares which findings a file contains. */
function coverageOption(): Option {
  return new Option(
    '--coverage <coverage>',
    `declare that the file has all findings of its checks or accounts, so that missing ones are resolved: ${COVERAGES.join(', ')} (default: partial)`,
  );
}

function seconds(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, or 0.');
}

/** The printing and logging flags of all commands. */
export function printingOptions(): readonly Option[] {
  return [
    new Option('--no-color', 'do not use colors'),
    new Option('--log-level <level>', `log level: ${LOG_LEVELS.join(', ')}`)
      .env('LOG_LEVEL')
      .default('WARNING'),
    new Option('--log-file <file>', 'also append the log to this file as JSON lines'),
  ];
}

/** Throws a ScannerError (exit code 2). */
export function readPushFlags(parsed: unknown): PushFlags {
  const { wait, waitTimeout, logLevel, label, coverage, failOn, ...flags } = parsedSchema.parse(parsed);
  return {
    ...flags,
    labels: readLabels(label),
    coverage: matchKnownValue(coverage, COVERAGES, 'coverage'),
    waitSeconds: readWaitSeconds({ wait: wait || flags.dryRun, waitTimeout, failOn }),
    failOn: readFailOn(failOn),
    logLevel: matchKnownValue(logLevel, LOG_LEVELS, 'log level'),
  };
}

/** Throws a ScannerError (exit code 2) for an unknown severity. */
export function readFailOn(severity: string | undefined): GateSeverity | undefined {
  return severity === undefined ? undefined : matchKnownValue(severity, GATE_SEVERITIES, 'severity');
}

/**
 * The maximum time to wait in seconds; 0: no limit; `undefined` without --wait and --fail-on. Throws a ScannerError with
 * the code `usage`.
 */
export function readWaitSeconds(flags: {
  readonly wait: boolean;
  readonly waitTimeout?: number | undefined;
  readonly failOn?: string | undefined;
}): number | undefined {
  const waits = flags.wait || flags.failOn !== undefined;
  if (flags.waitTimeout !== undefined && !waits) throw usageError('--wait-timeout requires --wait');
  return waits ? (flags.waitTimeout ?? DEFAULT_WAIT_SECONDS) : undefined;
}
