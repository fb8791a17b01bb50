import type pg from 'pg';
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

/** The nodes of a distributed database to which this process connects. */
export interface TenantNodes {
  /**
   * Opens a connection to the node that stores the tenant's rows. Resolves to `undefined` if the tenant is read through
   * the coordinator. Throws DatabaseUnavailable if the coordinator cannot be reached.
   */
  readonly connect: (tenantId: string) => Promise<pg.PoolClient | undefined>;
}

const nodes = new WeakMap<pg.Pool, TenantNodes>();

/** Reads that use the pool run on the node of their tenant. */
export function readFromNodes(pool: pg.Pool, ofTenants: TenantNodes): void {
  nodes.set(pool, ofTenants);
}

/** Like `TenantNodes.connect`, with the nodes of the pool's database. */
export async function connectToNode(pool: pg.Pool, tenantId: string): Promise<pg.PoolClient | undefined> {
  return await nodes.get(pool)?.connect(tenantId);
}
