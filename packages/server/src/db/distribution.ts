import type { Queryable } from './transaction.ts';

const distributed = new WeakSet<Queryable>();

/** Marks a connection, or a pool of connections, to a database whose tables are distributed with Citus. */
export function markDistributed(client: Queryable): void {
  distributed.add(client);
}

/** Whether the connection or the pool is to a database whose tables are distributed with Citus. */
export function isDistributed(client: Queryable): boolean {
  return distributed.has(client);
}
