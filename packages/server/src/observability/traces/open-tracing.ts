import type { Logger } from 'pino';
import { NO_TRACING, type Tracing } from './tracing.ts';

/** Sends traces to the collector at this URL. Without a URL, the OpenTelemetry packages are not loaded. */
export async function openTracing(tracesUrl: string | undefined, log: Logger): Promise<Tracing> {
  if (tracesUrl === undefined) return NO_TRACING;
  const { openOtlpTracing } = await import('./otlp-tracing.ts');
  return openOtlpTracing(tracesUrl, log);
}
