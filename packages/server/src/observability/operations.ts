import type { Health } from './health.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Tracing } from './traces/tracing.ts';

/** The metrics, health checks and traces of a process, to which every component contributes. */
export interface Operations {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly tracing: Tracing;
}
