import { type Logger, pino, stdTimeFunctions } from 'pino';
import { describeError } from './describe-error.ts';

/**
 * JSON lines on stderr, for operators: levels as words, times in ISO 8601. Errors have nothing that PostgreSQL quotes of
 * what was uploaded.
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
