import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics for the garbage collection runs of this process. */
export class RetentionMetrics {
  readonly #rounds: Counter<'result'>;
  readonly #removed: Counter<'type'>;
  readonly #removedBytes: Counter<'type'>;
  readonly #lastSuccess: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#rounds = new Counter({
      name: 'sluice_retention_rounds_total',
      help: 'Garbage collection runs of this process, by result: completed or failed',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['completed', 'failed']) this.#rounds.inc({ result }, 0);
    this.#removed = new Counter({
      name: 'sluice_retention_removed_total',
      help: 'Objects removed by retention, by type',
      labelNames: ['type'],
      registers,
    });
    this.#removedBytes = new Counter({
      name: 'sluice_retention_removed_bytes_total',
      help: 'Bytes removed from the blob store by retention, by type',
      labelNames: ['type'],
      registers,
    });
    this.#lastSuccess = new Gauge({
      name: 'sluice_retention_last_success_timestamp_seconds',
      help: 'Unix time at which this process last completed a garbage collection; 0 before the first',
      registers,
    });
  }

  /** Counts the collected objects by type. */
  completed(types: Readonly<Record<string, { readonly count: number; readonly bytes?: number }>>): void {
    this.#rounds.inc({ result: 'completed' });
    this.#lastSuccess.setToCurrentTime();
    for (const [type, { count, bytes = 0 }] of Object.entries(types)) {
      this.#removed.inc({ type }, count);
      this.#removedBytes.inc({ type }, bytes);
    }
  }

  failed(): void {
    this.#rounds.inc({ result: 'failed' });
  }
}
