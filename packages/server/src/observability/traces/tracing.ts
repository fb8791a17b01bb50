import type { Logger } from 'pino';

/** Attributes of a span, named according to OpenTelemetry's semantic conventions where they define a name. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An operation in a trace. */
export interface Span {
  /** W3C Trace Context, to propagate to later stages; `undefined` without a trace. */
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
  child(name: string): Span;
  /** Ends the span; `error` marks it as failed. */
  end(error?: unknown): void;
}

interface SpanStart {
  readonly kind: 'server' | 'consumer';
  /** The parent span. */
  readonly traceparent: string | undefined;
  readonly attributes?: Attributes;
}

/** Creates spans. */
export interface Tracing {
  start(name: string, options: SpanStart): Span;
  /** Sends pending spans, within a short time limit. */
  stop(): Promise<void>;
}

/** Sends traces to the collector at this URL. Without a URL, the OpenTelemetry packages are not loaded. */
export async function openTracing(tracesUrl: string | undefined, log: Logger): Promise<Tracing> {
  if (tracesUrl === undefined) return NO_TRACING;
  const { openOtlpTracing } = await import('./otlp-tracing.ts');
  return openOtlpTracing(tracesUrl, log);
}

/** Creates no spans, but propagates the received context. */
const NO_TRACING: Tracing = {
  start: (_name, { traceparent }) => {
    const span: Span = { traceparent, set: () => {}, child: () => span, end: () => {} };
    return span;
  },
  stop: async () => {},
};

/** Runs the work in a child span. */
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

/** Version, trace id, parent id and flags (W3C Trace Context, section 3.2.2). Ids that consist of zeros are invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the header if it is valid; an invalid header is ignored (W3C Trace Context, section 3.2.2.3). */
export function readTraceparent(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;
}
