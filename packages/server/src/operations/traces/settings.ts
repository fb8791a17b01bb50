import { type SettingValues, setting, url } from '../../settings/setting.ts';

const PROTOCOLS = ['http:', 'https:'];

/** Where traces go; the OpenTelemetry SDK reads its other variables itself. */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url('Collector of traces, OTLP over HTTP', PROTOCOLS),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('The same as a complete URL; comes first', PROTOCOLS),
  OTEL_SDK_DISABLED: setting(
    { description: 'If true, no traces are sent', default: 'false' },
    false,
    (text) => text.toLowerCase() === 'true',
  ),
};

/**
 * Where traces are sent, `undefined`: nowhere. As the OpenTelemetry SDK reads it (OTLP exporter specification): the
 * endpoint for traces is used as it is, the general one is the base of its path.
 */
export function tracesUrl(settings: SettingValues<typeof TRACE_SETTINGS>): string | undefined {
  if (settings.OTEL_SDK_DISABLED) return undefined;
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.href.replace(/\/+$/, '');
  return (
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.href ??
    (base === undefined ? undefined : `${base}/v1/traces`)
  );
}
