import { type SettingValues, setting, url } from './setting.ts';

const PROTOCOLS = ['http:', 'https:'];

/** The OpenTelemetry SDK reads its other variables itself. */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url('Base URL of the trace collector (OTLP over HTTP)', PROTOCOLS),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(
    'Complete URL of the trace collector; takes precedence over OTEL_EXPORTER_OTLP_ENDPOINT',
    PROTOCOLS,
  ),
  OTEL_SDK_DISABLED: setting(
    { description: 'Disable tracing if true', default: 'false' },
    false,
    (text) => text.toLowerCase() === 'true',
  ),
};

/**
 * The URL of the collector, or `undefined` if tracing is disabled. As in the OTLP exporter specification, the endpoint
 * for traces is used unchanged, and `/v1/traces` is appended to the general endpoint.
 */
export function tracesUrl(settings: SettingValues<typeof TRACE_SETTINGS>): string | undefined {
  if (settings.OTEL_SDK_DISABLED) return undefined;
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.href.replace(/\/+$/, '');
  return (
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.href ??
    (base === undefined ? undefined : `${base}/v1/traces`)
  );
}
