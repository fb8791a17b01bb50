import { type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';

/** JSON lines on stderr, for the eyes of operators: of what was uploaded, nothing that PostgreSQL quotes gets in with an error. */
export function createLog(level: string, base: Readonly<Record<string, unknown>> | null): Logger {
  return pino(
    { level, base, serializers: { err: describeError } },
    pino.destination({ dest: 2, sync: true }),
  );
}
