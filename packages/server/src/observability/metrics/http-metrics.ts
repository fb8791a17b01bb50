import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** In seconds: from a list request to a large upload. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The codes used in alerts. Exported before the first event, which `increase` would otherwise miss. */
const WATCHED_CODES = [
  'blob_store_unavailable',
  'database_unavailable',
  'insufficient_storage',
  'internal_error',
  'invalid_api_key',
];

/** Request and upload metrics. */
export class HttpMetrics {
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  readonly errors: Counter<'code'>;
  readonly uploads: Gauge;
  readonly uploadedBytes: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requestSeconds = new Histogram({
      name: 'sluice_http_request_duration_seconds',
      help: 'Time from the headers of a request to the end of its response; status "aborted" means that the client disconnected',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.errors = new Counter({
      name: 'sluice_http_errors_total',
      help: 'Error responses, by error code',
      labelNames: ['code'],
      registers,
    });
    for (const code of WATCHED_CODES) this.errors.inc({ code }, 0);
    this.uploads = new Gauge({
      name: 'sluice_uploads_in_progress',
      help: 'Uploads being received or stored',
      registers,
    });
    this.uploadedBytes = new Counter({
      name: 'sluice_upload_received_bytes_total',
      help: 'Bytes of uploaded files as received, including rejected uploads',
      registers,
    });
  }
}
