import { codeOf } from '../error-code.ts';

/** What PostgreSQL tells of an error beside its message; it can quote rows, and so what was uploaded. */
const QUOTES_ROWS = ['detail', 'where', 'internalQuery'];
/** Data exceptions (PostgreSQL, appendix A): their messages, too, can quote a value. */
const QUOTES_VALUES = /^22[0-9A-Z]{3}$/;
/** Deeper than any real chain of causes; one could go round in a circle. */
const MAX_DEPTH = 8;

type Description = Readonly<Record<string, unknown>>;

/**
 * An error for the log, with its causes and, of an AggregateError, its parts. Of PostgreSQL's errors it has nothing that
 * could quote what was uploaded.
 */
export function describeError(error: unknown): Description {
  return describe(error, 0);
}

/** The same in one line, without stacks: for what is expected to happen, and then often. */
export function summarizeError(error: unknown): string {
  return words(error, 0);
}

function describe(error: unknown, depth: number): Description {
  if (!(error instanceof Error)) return { type: typeof error, message: messageOf(error) };
  const type = error.constructor.name;
  const message = messageOf(error);
  // Its stack begins with its message, and shows nothing but how an answer of PostgreSQL was read.
  if (quotesValues(error))
    return { type, message, code: codeOf(error), ...('routine' in error && { routine: error.routine }) };
  const more = Object.entries(error).filter(([name]) => !QUOTES_ROWS.includes(name));
  const cause = causeOf(error);
  const parts = partsOf(error);
  const isDeep = depth === MAX_DEPTH;
  return {
    ...Object.fromEntries(more),
    type,
    message,
    stack: error.stack,
    ...(cause !== undefined && { cause: isDeep ? '...' : describe(cause, depth + 1) }),
    ...(parts.length > 0 && { errors: isDeep ? '...' : parts.map((part) => describe(part, depth + 1)) }),
  };
}

function words(error: unknown, depth: number): string {
  const cause = causeOf(error);
  const inner = [...partsOf(error), ...(cause === undefined ? [] : [cause])];
  const own = messageOf(error);
  if (inner.length === 0 || depth === MAX_DEPTH) return own;
  const others = inner.map((each) => words(each, depth + 1)).join('; ');
  return own === '' ? others : `${own}: ${others}`;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return quotesValues(error) ? `PostgreSQL refused a value (${codeOf(error)})` : error.message;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function partsOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [];
}

function quotesValues(error: Error): boolean {
  return QUOTES_VALUES.test(codeOf(error) ?? '');
}
