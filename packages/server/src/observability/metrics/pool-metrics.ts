import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Registers metrics of the API's database connection pools. */
export function registerPoolMetrics(registry: Registry, pools: Readonly<Record<string, pg.Pool>>): void {
  const registers = [registry];
  const named = Object.entries(pools);
  new Gauge({
    name: 'sluice_database_pool_connections',
    help: 'Open database connections of the API, by pool (requests, reads, exports) and state (used, idle)',
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
    help: 'Maximum number of database connections of the API, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { options }] of named) this.set({ pool }, options.max);
    },
  });
  new Gauge({
    name: 'sluice_database_pool_waiting_requests',
    help: 'Requests waiting for a database connection, by pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of named) this.set({ pool }, waitingCount);
    },
  });
}
