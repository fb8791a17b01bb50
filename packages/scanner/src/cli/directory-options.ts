import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { SEVERITIES } from '../checks/check.ts';
import { frameworkName } from '../compliance/stig.ts';
import type { Dialect } from '../directory/dialect.ts';
import { chooseDialect } from '../directory/environment.ts';
import { usageError } from '../lib/errors.ts';
import { matchKnownValue, matchKnownValues } from '../lib/known-values.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '../outputs/write-outputs.ts';
import type { GateSeverity } from '../push/gate-severity.ts';
import { type Labels, readLabels } from '../push/labels.ts';
import { STATUSES, type StatusFilter, splitList } from '../selection/select-checks.ts';
import { LOG_LEVELS, type LogLevel } from '../terminal/log.ts';
import {
  failOnOption,
  labelOption,
  printingOptions,
  readFailOn,
  readWaitSeconds,
  waitOptions,
} from './push-options.ts';

const LISTS = [
  'list-checks',
  'list-checks-json',
  'list-services',
  'list-categories',
  'list-compliance',
] as const;

const words = z.array(z.string()).default([]).transform(splitList);
const text = z.string().optional();
const isOn = z.boolean().default(false);

/** The parsed command line, keyed by option attribute name. */
const parsedSchema = z.object({
  checks: words,
  checksFile: text,
  services: words,
  severity: words,
  categories: words,
  compliance: words,
  excludedChecks: words,
  excludedServices: words,
  listChecks: isOn,
  listChecksJson: isOn,
  listServices: isOn,
  listCategories: isOn,
  listCompliance: isOn,
  status: words,
  outputFormats: words,
  outputDirectory: z.string(),
  outputFilename: text,
  mutelistFile: text,
  configFile: text,
  ignoreExitCode3: isOn,
  json: isOn,
  jsonFile: text,
  pushToCloud: isOn,
  label: z.array(z.string()).default([]),
  wait: isOn,
  waitTimeout: z.number().optional(),
  failOn: text,
  banner: z.boolean(),
  color: z.boolean(),
  verbose: isOn,
  logLevel: z.string(),
  logFile: text,
  directoryOrgDomain: text,
  directoryClientId: text,
  directoryScopes: words,
  dialect: text,
  directoryRequestsPerSecond: z.number().optional(),
  directoryRetriesMaxAttempts: z.number().optional(),
});

/** The flags of `scanner directory` whose validation does not require the checks. */
export interface DirectoryFlags
  extends Omit<
    z.output<typeof parsedSchema>,
    'status' | 'outputFormats' | 'logLevel' | 'dialect' | 'wait' | 'waitTimeout' | 'label' | 'failOn'
  > {
  /** The labels of the push. */
  readonly labels: Labels;
  /** The maximum time in seconds that the push waits for its job; 0 means no limit, and `undefined` means no wait. */
  readonly waitSeconds: number | undefined;
  /** The lowest severity for which the gate fails; `undefined` without a gate. */
  readonly failOn: GateSeverity | undefined;
  readonly status: readonly StatusFilter[];
  readonly outputFormats: readonly OutputFormat[];
  readonly logLevel: LogLevel;
  readonly dialect: Dialect;
}

/** Adds the flags of `scanner directory` to a command, grouped as in `--help`. */
export function addDirectoryOptions(command: Command): Command {
  for (const [group, options] of Object.entries(optionGroups())) {
    for (const option of options) command.addOption(option.helpGroup(`${group}:`));
  }
  return command;
}

function optionGroups(): Readonly<Record<string, readonly Option[]>> {
  return {
    'Check selection (filters are combined; separate values with spaces or commas)': [
      new Option('-c, --checks <check...>', 'run only these checks'),
      new Option(
        '-C, --checks-file <file>',
        'run only the checks in this file: {"directory": ["CHECK", ...]}',
      ),
      new Option('-s, --services <service...>', 'run only checks for these services'),
      new Option(
        '--severity <severity...>',
        `run only checks with these severities: ${SEVERITIES.join(', ')}`,
      ),
      new Option('--categories <category...>', 'run only checks in these categories'),
      new Option(
        '--compliance <framework...>',
        'run only checks for these frameworks, and report their compliance results (default: all frameworks)',
      ),
      new Option('-e, --excluded-checks <check...>', 'exclude these checks'),
      new Option('--excluded-services <service...>', 'exclude checks for these services'),
    ],
    'Lists (no credentials needed)': [
      list('-l, --list-checks', 'list the selected checks'),
      list('--list-checks-json', 'print the selected checks in the format of --checks-file'),
      list('--list-services', 'list the services'),
      list('--list-categories', 'list the categories'),
      list('--list-compliance', 'list the compliance frameworks'),
    ],
    Output: [
      new Option('--status <status...>', `include only findings with these statuses: ${STATUSES.join(', ')}`),
      new Option('-M, --output-formats <format...>', `output formats: ${OUTPUT_FORMATS.join(', ')}`).default(
        ['csv', 'json-ocsf', 'html'],
        'csv json-ocsf html',
      ),
      new Option('-o, --output-directory <folder>', 'output folder, created if missing').default('output'),
      new Option(
        '-F, --output-filename <name>',
        'output file name without extension (default: sluice-output-DOMAIN-TIME)',
      ),
      new Option('-w, --mutelist-file <file>', 'YAML file of accepted findings, which are reported as muted'),
      new Option('--config-file <file>', 'YAML file with scan settings under the key directory'),
      new Option('-z, --ignore-exit-code-3', 'exit with 0 even if there are failed findings'),
    ],
    'Printing and logging': [
      new Option('-b, --no-banner', 'do not print the banner'),
      new Option('--verbose', 'print every finding'),
      new Option(
        '--json',
        'print only a JSON document with files, counts, requests and the push result',
      ).conflicts(['verbose', ...LISTS.map((name) => new Option(`--${name}`).attributeName())]),
      new Option('--json-file <file>', 'also write the JSON document of --json to this file'),
      ...printingOptions(),
    ],
    'Push (the API key is read from SCANNER_CLOUD_API_KEY)': [
      new Option('--push-to-cloud', 'upload the OCSF results after the scan'),
      ...waitOptions(),
      failOnOption(),
      labelOption(),
    ],
    'Authentication (the private key is read from the environment only)': [
      new Option('--directory-org-domain <domain>', 'organization domain (env: DIRECTORY_ORG_DOMAIN)'),
      new Option('--directory-client-id <id>', 'client ID of the service app (env: DIRECTORY_CLIENT_ID)'),
      new Option(
        '--directory-scopes <scope...>',
        'OAuth scopes to request (default: all ten; env: DIRECTORY_SCOPES)',
      ),
      new Option(
        '--dialect <dialect>',
        'API dialect: directory, okta (default: detected from the domain; env: DIRECTORY_DIALECT)',
      ),
    ],
    'Rate limiting': [
      new Option(
        '--directory-requests-per-second <number>',
        'maximum requests per second; 0 means no limit (default: 4)',
      ).argParser(requestRate),
      new Option(
        '--directory-retries-max-attempts <number>',
        'maximum retries per request, 0 to 10 (default: 5)',
      ).argParser(retries),
    ],
  };
}

function list(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const name = option.name();
  const others = LISTS.filter((other) => other !== name);
  return option.conflicts(others.map((other) => new Option(`--${other}`).attributeName()));
}

function requestRate(text: string): number {
  const rate = Number(text);
  if (text.trim() !== '' && (rate === 0 || (rate >= 0.1 && rate <= 100))) return rate;
  throw new InvalidArgumentError('It must be 0 or a number from 0.1 to 100.');
}

function retries(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 10) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 10.');
}

/**
 * Validates the flags and chooses the dialect. Throws a ScannerError (exit code 2) for an unknown value.
 */
export function readDirectoryFlags(parsed: unknown, env: NodeJS.ProcessEnv): DirectoryFlags {
  const { label, ...flags } = parsedSchema.parse(parsed);
  if (flags.wait && !flags.pushToCloud) throw usageError('--wait requires --push-to-cloud');
  if (flags.failOn !== undefined && !flags.pushToCloud)
    throw usageError('--fail-on requires --push-to-cloud');
  if (label.length > 0 && !flags.pushToCloud) throw usageError('--label requires --push-to-cloud');
  const outputFormats = matchKnownValues(flags.outputFormats, OUTPUT_FORMATS, { noun: 'output format' });
  if (outputFormats.length === 0) throw usageError('--output-formats requires at least one format');
  const status = matchKnownValues(flags.status, STATUSES, { noun: 'status' });
  if (flags.failOn !== undefined && status.length > 0 && !status.includes('FAIL'))
    throw usageError('--fail-on requires FAIL among the values of --status');
  const dialect = chooseDialect({ flag: flags.dialect, orgDomain: flags.directoryOrgDomain, env });
  return {
    ...flags,
    compliance: flags.compliance.map((word) => frameworkName(word, dialect)),
    labels: readLabels(label),
    waitSeconds: readWaitSeconds(flags),
    failOn: readFailOn(flags.failOn),
    status,
    outputFormats,
    logLevel: matchKnownValue(flags.logLevel, LOG_LEVELS, 'log level'),
    dialect,
  };
}
