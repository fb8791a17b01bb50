import type { Queryable } from './transaction.ts';

const distributed = new WeakSet<Queryable>();

/** Marks a connection to a database whose tables are distributed with Citus. */
export function markDistributed(client: Queryable): void {
  distributed.add(client);
}

/** Whether the connection is to a database whose tables are distributed with Citus. */
export function isDistributed(client: Queryable): boolean {
  return distributed.has(client);
}
