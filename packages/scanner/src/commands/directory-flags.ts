import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../console/log.ts';
import { chooseDialect } from '../directory/choose-dialect.ts';
import type { Dialect } from '../directory/dialect.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '../outputs/output-formats.ts';
import { matchKnownValue, matchKnownValues, STATUSES, type StatusFilter } from '../selection/known-values.ts';
import { splitList } from '../selection/split-list.ts';
import { frameworkName } from './framework.ts';
import { readWaitSeconds } from './push-options.ts';
import { usageError } from './usage-error.ts';

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
  pushToCloud: isOn,
  wait: isOn,
  waitTimeout: z.number().optional(),
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
    'status' | 'outputFormats' | 'logLevel' | 'dialect' | 'wait' | 'waitTimeout'
  > {
  /** The maximum time in seconds that the push waits for its job; 0 means no limit, and `undefined` means no wait. */
  readonly waitSeconds: number | undefined;
  readonly status: readonly StatusFilter[];
  readonly outputFormats: readonly OutputFormat[];
  readonly logLevel: LogLevel;
  readonly dialect: Dialect;
}

/**
 * Validates the flags and chooses the dialect. Throws a ScannerError (exit code 2) for an unknown value.
 */
export function readDirectoryFlags(parsed: unknown, env: NodeJS.ProcessEnv): DirectoryFlags {
  const flags = parsedSchema.parse(parsed);
  if (flags.wait && !flags.pushToCloud) throw usageError('--wait requires --push-to-cloud');
  const outputFormats = matchKnownValues(flags.outputFormats, OUTPUT_FORMATS, { noun: 'output format' });
  if (outputFormats.length === 0) throw usageError('--output-formats requires at least one format');
  const dialect = chooseDialect({ flag: flags.dialect, orgDomain: flags.directoryOrgDomain, env });
  return {
    ...flags,
    compliance: flags.compliance.map((word) => frameworkName(word, dialect)),
    waitSeconds: readWaitSeconds(flags),
    status: matchKnownValues(flags.status, STATUSES, { noun: 'status' }),
    outputFormats,
    logLevel: matchKnownValue(flags.logLevel, LOG_LEVELS, 'log level'),
    dialect,
  };
}
