import type pg from 'pg';
import { BoundedMap } from '../lib/bounded-map.ts';
import { type ConnectionOptions, createPool, type Database, SCHEMA, SYSTEM_ID } from './connect.ts';
import type { TenantNodes } from './distribution.ts';
import { queryOnce } from './transaction.ts';

/** Time for which the node of a tenant is remembered, in milliseconds. */
const REMEMBERED_MS = 60_000;
/** Maximum number of tenants whose nodes are remembered. */
const REMEMBERED_TENANTS = 100_000;
/** Time after which a connection to a node is tried again, in milliseconds. */
const RETRY_MS = 30_000;

/** Returns no row if the shard is on the coordinator, or if the node does not know where all shards are. */
const FIND_NODE = `
  select n.nodename as host, n.nodeport as port
  from pg_dist_placement p join pg_dist_node n using (groupid)
  where p.shardid = get_shard_id_for_distribution_column('${SCHEMA}.tenants', $1::uuid)
    and n.groupid <> 0 and n.noderole = 'primary' and n.isactive and n.hasmetadata and n.metadatasynced`;
const FIND_SYSTEM_ID = `
  select result as id from run_command_on_workers('${SYSTEM_ID}') where nodename = $1 and nodeport = $2 and success`;

export interface NodePoolOptions extends ConnectionOptions {
  /** Maximum number of connections to each node. */
  readonly max: number;
  /** Called if no connection to a node could be opened; its tenants are then read through the coordinator. */
  readonly onFailure: (node: string, error: unknown) => void;
}

/** How the coordinator connects to a node. */
interface Address {
  readonly host: string;
  readonly port: number;
}

interface Node {
  readonly address: Address;
  /** `undefined` until the first connection was opened, and after one could not be opened. */
  pool: pg.Pool | undefined;
  /** When the next connection may be opened, by `performance.now()`. */
  retryAt: number;
  opening?: Promise<void>;
}

/**
 * Pools of connections to the nodes of a Citus cluster. Each node can run the statements of all tenants. On the node
 * with the rows of the tenant, a read takes less CPU time than through the coordinator, and none on the coordinator. Nodes
 * that cannot be reached from this process are not used.
 */
export class NodePools implements TenantNodes {
  readonly #coordinator: pg.Pool;
  readonly #database: Database;
  readonly #options: NodePoolOptions;
  readonly #nodes = new Map<string, Node>();
  readonly #ofTenants = new BoundedMap<string, { readonly node: Node | undefined; readonly until: number }>(
    REMEMBERED_TENANTS,
  );

  constructor(coordinator: pg.Pool, database: Database, options: NodePoolOptions) {
    this.#coordinator = coordinator;
    this.#database = database;
    this.#options = options;
  }

  async connect(tenantId: string): Promise<pg.PoolClient | undefined> {
    const node = await this.#find(tenantId);
    if (node === undefined) return undefined;
    if (node.pool !== undefined)
      try {
        return await node.pool.connect();
      } catch (error) {
        this.#leave(node, error);
        return undefined;
      }
    // In the background, because a node may not respond.
    if (performance.now() >= node.retryAt) node.opening = this.#open(node);
    return undefined;
  }

  async end(): Promise<void> {
    for (const node of this.#nodes.values()) {
      await node.opening;
      await node.pool?.end();
    }
  }

  /** Returns `undefined` if the tenant is read through the coordinator. */
  async #find(tenantId: string): Promise<Node | undefined> {
    const now = performance.now();
    const known = this.#ofTenants.get(tenantId);
    if (known !== undefined && known.until > now) return known.node;
    const [address] = await queryOnce<Address>(this.#coordinator, FIND_NODE, [tenantId]);
    const node = address && this.#nodeAt(address);
    this.#ofTenants.set(tenantId, { node, until: now + REMEMBERED_MS });
    return node;
  }

  #nodeAt(address: Address): Node {
    const name = nameOf(address);
    const node = this.#nodes.get(name) ?? { address, pool: undefined, retryAt: 0 };
    this.#nodes.set(name, node);
    return node;
  }

  async #open(node: Node): Promise<void> {
    node.retryAt = performance.now() + RETRY_MS;
    let pool: pg.Pool | undefined;
    try {
      const { host, port } = node.address;
      const [found] = await queryOnce<{ id: string }>(this.#coordinator, FIND_SYSTEM_ID, [host, port]);
      if (found === undefined) throw new Error('the coordinator cannot reach the node either');
      pool = createPool({ ...this.#database, server: { host, port, systemId: found.id } }, this.#options);
      (await pool.connect()).release();
      node.pool = pool;
    } catch (error) {
      await pool?.end();
      this.#options.onFailure(nameOf(node.address), error);
    }
  }

  #leave(node: Node, error: unknown): void {
    const { pool } = node;
    if (pool === undefined) return;
    node.pool = undefined;
    node.retryAt = performance.now() + RETRY_MS;
    void pool.end();
    this.#options.onFailure(nameOf(node.address), error);
  }
}

function nameOf({ host, port }: Address): string {
  return `${host}:${port}`;
}
