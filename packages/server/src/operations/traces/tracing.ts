/** What is told of a span; the names are those of OpenTelemetry's semantic conventions where it has one. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work in a trace. */
export interface Span {
  /** W3C Trace Context, to be handed on to whoever goes on with the work; `undefined` where there is no trace. */
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
  child(name: string): Span;
  /** Ends it, with the error that the work has ended with. */
  end(error?: unknown): void;
}

export interface SpanStart {
  readonly kind: 'server' | 'consumer';
  /** The span that this one goes on from. */
  readonly traceparent: string | undefined;
  readonly attributes?: Attributes;
}

/** Where spans go. */
export interface Tracing {
  start(name: string, options: SpanStart): Span;
  /** Sends what is left, for a short while. */
  stop(): Promise<void>;
}

/** Traces nothing, and hands on what came in. */
export const NO_TRACING: Tracing = {
  start: (_name, { traceparent }) => {
    const span: Span = { traceparent, set: () => {}, child: () => span, end: () => {} };
    return span;
  },
  stop: async () => {},
};

/** Does the work in a child span. */
export async function traced<Result>(
  parent: Span,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = parent.child(name);
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Version, trace, parent and flags (W3C Trace Context, section 3.2.2); ids of zeros are none. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The header where it is one; a wrong one counts as none (W3C Trace Context, section 3.2.2.3). */
export function readTraceparent(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
}
