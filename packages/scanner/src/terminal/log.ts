import { openSync, writeSync } from 'node:fs';
import { ScannerError } from '../lib/errors.ts';
import type { Screen } from './screen.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The log of a scan. Log messages never contain secrets. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** The log levels, from most to least verbose. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Creates a log for messages of at least `level`: one line each on stderr and, if a file is given, a JSON line in the
 * file. Throws a ScannerError with the code `log_file` (exit code 2) if the file cannot be written.
 */
export function createLog(
  screen: Screen,
  level: LogLevel,
  file: string | undefined,
  clock: () => Date = () => new Date(),
): Log {
  const descriptor = file === undefined ? undefined : openLogFile(file);
  const lowest = LOG_LEVELS.indexOf(level);
  const logAt =
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
  return { debug: logAt('DEBUG'), info: logAt('INFO'), warn: logAt('WARNING'), error: logAt('ERROR') };
}

function openLogFile(file: string): number {
  try {
    return openSync(file, 'a');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScannerError('log_file', `--log-file ${file} cannot be written: ${reason}`, {
      exitCode: 2,
      cause: error,
    });
  }
}
