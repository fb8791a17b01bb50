import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Span as ApiSpan,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { summarizeError } from '../log.ts';
import type { Span, Tracing } from './tracing.ts';

/**
 * Time limit of one batch including retries, in milliseconds. Also limits how long a shutdown waits for an unresponsive
 * collector.
 */
const EXPORT_MS = 2000;
/** Minimum time between log messages about an unavailable collector. */
const WARNING_INTERVAL_MS = 60_000;
const SPAN_KIND = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER } as const;

/** Sends spans as OTLP/JSON over HTTP, in batches and in the background. */
export function openOtlpTracing(url: string, log: Logger): Tracing {
  logSdkErrors(log);
  const provider = new BasicTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override the name.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'sluice' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), {
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('sluice');
  return {
    start: (name, { kind, traceparent, attributes = {} }) => {
      const parent = contextOf(traceparent);
      const span = tracer.startSpan(name, { kind: SPAN_KIND[kind], attributes }, parent);
      return new OtlpSpan(tracer, span, parent);
    },
    stop: async () => {
      const ended = new AbortController();
      // A failure has already been logged, and the process exits anyway.
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([
        flushed,
        sleep(EXPORT_MS, undefined, { signal: ended.signal }).catch(() => undefined),
      ]);
      ended.abort();
    },
  };
}

class OtlpSpan implements Span {
  readonly #tracer: Tracer;
  readonly #span: ApiSpan;
  readonly #context: Context;

  constructor(tracer: Tracer, span: ApiSpan, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  set(attributes: Readonly<Record<string, string | number | boolean>>): void {
    this.#span.setAttributes(attributes);
  }

  child(name: string): Span {
    return new OtlpSpan(
      this.#tracer,
      this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL }, this.#context),
      this.#context,
    );
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message: summarizeError(error) });
      this.#span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    }
    this.#span.end();
  }
}

function contextOf(traceparent: string | undefined): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Logs errors of the SDK at a limited rate. Most are caused by an unavailable collector. */
function logSdkErrors(log: Logger): void {
  let silentUntil = 0;
  const warn = (message: string) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + WARNING_INTERVAL_MS;
    log.warn({ reason: message }, 'traces could not be sent and are dropped');
  };
  const ignore = () => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
