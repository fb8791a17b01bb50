import { collectDefaultMetrics, Registry } from 'prom-client';
import { FrameMetrics } from './frame-metrics.ts';
import { HttpMetrics } from './http-metrics.ts';

/** What this process counts, and what it looks up when it is asked. */
export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly frames: FrameMetrics;
}

/** Gauges that end like counters, against Prometheus' own rules for names. */
const MISNAMED = ['active_handles_total', 'active_requests_total', 'active_resources_total'];

/** A registry of its own, so that several services could live in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  for (const name of MISNAMED) registry.removeSingleMetric(`sluice_nodejs_${name}`);
  return { registry, http: new HttpMetrics(registry), frames: new FrameMetrics(registry) };
}
