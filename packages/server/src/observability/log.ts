import { type Logger, pino, stdTimeFunctions } from 'pino';
import { codeOf } from '../lib/errors.ts';

/**
 * Writes JSON lines to stderr, with level names and ISO 8601 times. Errors omit uploaded data that PostgreSQL quotes in
 * its messages.
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

/** Fields of PostgreSQL errors that can quote rows, and therefore uploaded data. */
const QUOTES_ROWS = ['detail', 'where', 'internalQuery'];
/** The driver's connection in the error of a lost one. It contains the key that cancels queries. */
const CLIENT = 'client';
/** Data exceptions (PostgreSQL documentation, appendix A), whose messages can quote a value. */
const QUOTES_VALUES = /^22[0-9A-Z]{3}$/;
/** Maximum depth of a chain of causes, which could be circular. Real chains are shorter. */
const MAX_DEPTH = 8;

type Description = Readonly<Record<string, unknown>>;

/**
 * Describes an error for the log, with its causes and the errors of an AggregateError. Omits fields of PostgreSQL
 * errors that could quote uploaded data.
 */
export function describeError(error: unknown): Description {
  return describe(error, 0);
}

/** Summarizes an error in one line without stack traces, for errors that are expected and frequent. */
export function summarizeError(error: unknown): string {
  return summarize(error, 0);
}

function describe(error: unknown, depth: number): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: messageOf(error) };
  const type = error.constructor.name;
  const message = messageOf(error);
  // The stack contains the message, and otherwise only shows how a PostgreSQL response was parsed.
  if (quotesValues(error))
    return { type, message, code: codeOf(error), ...('routine' in error && { routine: error.routine }) };
  const more = Object.entries(error).filter(([name]) => name !== CLIENT && !QUOTES_ROWS.includes(name));
  const cause = causeOf(error);
  const errors = errorsOf(error);
  const isDeep = depth === MAX_DEPTH;
  return {
    ...Object.fromEntries(more),
    type,
    message,
    stack: error.stack,
    ...(cause !== undefined && { cause: isDeep ? '...' : describe(cause, depth + 1) }),
    ...(errors.length > 0 && { errors: isDeep ? '...' : errors.map((each) => describe(each, depth + 1)) }),
  };
}

function summarize(error: unknown, depth: number): string {
  const cause = causeOf(error);
  const inner = [...errorsOf(error), ...(cause === undefined ? [] : [cause])];
  const own = messageOf(error);
  if (inner.length === 0 || depth === MAX_DEPTH) return own;
  const others = inner.map((each) => summarize(each, depth + 1)).join('; ');
  return own === '' ? others : `${own}: ${others}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return quotesValues(error) ? `PostgreSQL rejected a value (${codeOf(error)})` : error.message;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function errorsOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [];
}

function quotesValues(error: Error): boolean {
  return QUOTES_VALUES.test(codeOf(error) ?? '');
}

/** Matches API keys, including those with a percent-encoded dot. */
const KEY = /(sk_[0-9A-Za-z]{8})(?:\.|%2e)[0-9A-Za-z]+/gi;

/** Redacts API key secrets in text received from a client. */
export function redactApiKeys(text: string): string {
  return text.replace(KEY, '$1.[redacted]');
}
