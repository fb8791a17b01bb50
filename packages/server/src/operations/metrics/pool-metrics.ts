import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** How much of each pool of database connections of the API is in use. */
export function registerPoolMetrics(registry: Registry, pools: Readonly<Record<string, pg.Pool>>): void {
  const registers = [registry];
  const named = Object.entries(pools);
  new Gauge({
    name: 'sluice_database_pool_connections',
    help: 'Open database connections of the API, by pool (requests, reads) and state (used, idle)',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of named) {
        this.set({ pool, state: 'used' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'sluice_database_pool_max_connections',
    help: 'How many of them there may be',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { options }] of named) this.set({ pool }, options.max);
    },
  });
  new Gauge({
    name: 'sluice_database_pool_waiting_requests',
    help: 'Requests that wait for a database connection',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of named) this.set({ pool }, waitingCount);
    },
  });
}
