import { openSync, writeSync } from 'node:fs';
import type { Log } from '../log.ts';
import { ScannerError } from '../scanner-error.ts';
import type { Screen } from './screen.ts';

/** From the most talkative on. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Readonly<Record<string, unknown>>;

/**
 * A log that tells what is at least as grave as `level`: one line each on stderr, and as a JSON line in the file
 * where one is named. Throws a ScannerError `log_file` (exit code 2) where the file cannot be written.
 */
export function createLog(
  screen: Screen,
  level: LogLevel,
  file: string | undefined,
  clock: () => Date = () => new Date(),
): Log {
  const descriptor = file === undefined ? undefined : openLogFile(file);
  const lowest = LOG_LEVELS.indexOf(level);
  const tell =
    (at: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (LOG_LEVELS.indexOf(at) < lowest) return;
      const details = Object.entries(fields).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
      screen.notice(`${at} ${message}${details.join('')}\n`);
      if (descriptor === undefined) return;
      writeSync(
        descriptor,
        `${JSON.stringify({ ...fields, time: clock().toISOString(), level: at, message })}\n`,
      );
    };
  return { debug: tell('DEBUG'), info: tell('INFO'), warn: tell('WARNING'), error: tell('ERROR') };
}

function openLogFile(file: string): number {
  try {
    return openSync(file, 'a');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ScannerError('log_file', `--log-file ${file} cannot be written: ${why}`, {
      exitCode: 2,
      cause: error,
    });
  }
}
