import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** How much of the pool of connections for requests is in use. */
export function registerPoolMetrics(registry: Registry, pool: pg.Pool): void {
  const registers = [registry];
  new Gauge({
    name: 'sluice_database_pool_connections',
    help: 'Open database connections for requests, by state: used or idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'sluice_database_pool_max_connections',
    help: 'How many of them there may be',
    registers,
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: 'sluice_database_pool_waiting_requests',
    help: 'Requests that wait for a database connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
