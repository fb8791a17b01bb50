import { z } from 'zod';
import { LOG_LEVELS, type LogLevel } from '../console/log.ts';
import { matchKnownValue } from '../selection/known-values.ts';
import { readWaitSeconds } from './push-options.ts';

const text = z.string().optional();
const isOn = z.boolean().default(false);

/** The parsed command line, keyed by option attribute name. */
const parsedSchema = z.object({
  wait: isOn,
  waitTimeout: z.number().optional(),
  provider: text,
  account: text,
  idempotencyKey: text,
  json: isOn,
  color: z.boolean(),
  logLevel: z.string(),
  logFile: text,
});

/** The flags of `scanner push`. */
export interface PushFlags extends Omit<z.output<typeof parsedSchema>, 'wait' | 'waitTimeout' | 'logLevel'> {
  /** The maximum time in seconds to wait for each job; 0 means no limit, and `undefined` means no wait. */
  readonly waitSeconds: number | undefined;
  readonly logLevel: LogLevel;
}

/** Throws a ScannerError (exit code 2). */
export function readPushFlags(parsed: unknown): PushFlags {
  const { wait, waitTimeout, logLevel, ...flags } = parsedSchema.parse(parsed);
  return {
    ...flags,
    waitSeconds: readWaitSeconds({ wait, waitTimeout }),
    logLevel: matchKnownValue(logLevel, LOG_LEVELS, 'log level'),
  };
}
