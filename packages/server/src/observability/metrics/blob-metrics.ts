import { Counter, Histogram, type Registry } from 'prom-client';
import type { BlobReport } from '../../blobs/instrumented-blob-store.ts';

/** In seconds: from a cached read of a local file to the last retry of a request to an unresponsive S3 server. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** Metrics of blob store operations in all threads of this process. */
export class BlobMetrics {
  readonly #seconds: Histogram<'operation'>;
  readonly #faults: Counter<'operation' | 'reason'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#seconds = new Histogram({
      name: 'sluice_blob_store_operation_duration_seconds',
      help: 'Duration of blob store operations, including failed operations: write (a whole blob), read, delete or list',
      labelNames: ['operation'],
      buckets: BUCKETS,
      registers,
    });
    this.#faults = new Counter({
      name: 'sluice_blob_store_faults_total',
      help: 'Failed blob store operations, by reason: unavailable, full, missing (the blob), damaged (the blob) or other',
      labelNames: ['operation', 'reason'],
      registers,
    });
    for (const operation of ['write', 'read', 'delete', 'list'])
      for (const reason of ['unavailable', 'full', 'missing', 'damaged', 'other'])
        this.#faults.inc({ operation, reason }, 0);
  }

  add({ operation, seconds, fault }: BlobReport): void {
    this.#seconds.observe({ operation }, seconds);
    if (fault !== undefined) this.#faults.inc({ operation, reason: fault });
  }
}
