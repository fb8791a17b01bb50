import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** From what a list takes to what a large upload takes. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The codes in alerts, exported from the start: `increase` does not see the first event of a new series. */
const WATCHED_CODES = [
  'blob_store_unavailable',
  'database_unavailable',
  'insufficient_storage',
  'internal_error',
  'invalid_api_key',
];

/** What requests cost, and what became of them. */
export class HttpMetrics {
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;
  readonly errors: Counter<'code'>;
  readonly uploads: Gauge;
  readonly uploadedBytes: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.requestSeconds = new Histogram({
      name: 'sluice_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer; status "aborted": the client went away',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.errors = new Counter({
      name: 'sluice_http_errors_total',
      help: 'Requests answered with an error, by its code',
      labelNames: ['code'],
      registers,
    });
    for (const code of WATCHED_CODES) this.errors.inc({ code }, 0);
    this.uploads = new Gauge({
      name: 'sluice_uploads_in_progress',
      help: 'Uploads that are being received or stored',
      registers,
    });
    this.uploadedBytes = new Counter({
      name: 'sluice_upload_received_bytes_total',
      help: 'Bytes of uploaded files, as received, those of refused uploads included',
      registers,
    });
  }
}
