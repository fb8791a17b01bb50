import { type Logger, pino, stdTimeFunctions } from 'pino';
import { describeError } from './describe-error.ts';

/**
 * Writes JSON lines to stderr, with level names and ISO 8601 times. Errors omit uploaded data that PostgreSQL quotes in its
 * messages.
 */
export function createLog(level: string, base: Readonly<Record<string, unknown>> | null): Logger {
  return pino(
    {
      level,
      base,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
