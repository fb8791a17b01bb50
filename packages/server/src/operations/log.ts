import { type Logger, pino } from 'pino';

/** What PostgreSQL tells of an error beside its message; it can quote rows, and so what was uploaded. */
const QUOTES_ROWS = ['detail', 'where', 'internalQuery'];

/** JSON lines on stderr, for the eyes of operators: nothing of what was uploaded gets in with an error. */
export function createLog(level: string, base: Readonly<Record<string, unknown>> | null): Logger {
  return pino(
    { level, base, serializers: { err: describeError } },
    pino.destination({ dest: 2, sync: true }),
  );
}

function describeError(error: Error): Record<string, unknown> {
  const described = pino.stdSerializers.err(error);
  const words = Object.entries(described).filter(([name]) => !QUOTES_ROWS.includes(name));
  const parts = error instanceof AggregateError ? error.errors.filter((part) => part instanceof Error) : [];
  return {
    ...Object.fromEntries(words),
    ...(parts.length > 0 && { aggregateErrors: parts.map(describeError) }),
  };
}
