import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { SCHEMA } from '../db/connect.ts';
import { bypassesRowSecurity } from '../db/owner-session.ts';
import { setTenant } from '../db/transaction.ts';
import { OperatorError } from '../lib/errors.ts';

/** A restored database gets a new blob store id, so that it cannot use the blobs of the original. */
export const NOT_COPIED: ReadonlySet<string> = new Set(['blob_store']);
const REFERENCES_PER_FETCH = 1000;

export interface SnapshotTable {
  readonly name: string;
  /** Excludes generated columns. */
  readonly columns: readonly string[];
  /** Whether row level security isolates the tenants in this table. */
  readonly isolated: boolean;
}

/** A blob that a job in the snapshot refers to. */
export interface BlobReference {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly requestedAt: Date;
  /** Sum of the sizes of its frames. */
  readonly bytes: number;
}

/**
 * A consistent view of the database in one transaction of the login role. A superuser sees all rows. Row level security
 * applies to any other role, including the owner of the tables, which therefore reads isolated tables tenant by tenant.
 */
export class Snapshot {
  readonly #client: pg.Client;
  /** The tenants to read one by one; `undefined` for a role that sees all rows. */
  readonly #tenants: readonly string[] | undefined;

  private constructor(client: pg.Client, tenants: readonly string[] | undefined) {
    this.#client = client;
    this.#tenants = tenants;
  }

  /** Begins the transaction, which lasts until `end`. */
  static async begin(client: pg.Client): Promise<Snapshot> {
    await client.query('begin isolation level repeatable read, read only');
    if (await bypassesRowSecurity(client)) return new Snapshot(client, undefined);
    const { rows } = await client.query<{ id: string }>(
      'select tenant_id as id from tenant_housekeeping order by tenant_id',
    );
    const snapshot = new Snapshot(
      client,
      rows.map(({ id }) => id),
    );
    await snapshot.#assertTenantsVisible();
    return snapshot;
  }

  async end(): Promise<void> {
    await this.#client.query('commit');
  }

  /** The names of the applied migrations, in order. */
  async migrations(): Promise<readonly string[]> {
    const { rows } = await this.#client.query<{ name: string }>(
      'select name from schema_migrations order by name collate "C"',
    );
    return rows.map(({ name }) => name);
  }

  async tables(): Promise<readonly SnapshotTable[]> {
    const { rows } = await this.#client.query<SnapshotTable & { type: string }>(
      `select c.relname as name, c.relkind as type, c.relrowsecurity as isolated,
         array(select a.attname::text from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
           order by a.attnum) as columns
       from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'S', 'm')
         -- A restore continues the sequences of identity columns after the greatest value.
         and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i')
       order by c.relname`,
      [SCHEMA],
    );
    for (const { name, type } of rows)
      if (type !== 'r') throw new Error(`a backup cannot copy ${name} (relkind ${type})`);
    return rows.filter(({ name }) => !NOT_COPIED.has(name));
  }

  /** Yields the rows of a table in COPY's text format. Returns the row count that PostgreSQL reports. */
  async *rows({ name, columns, isolated }: SnapshotTable): AsyncGenerator<Buffer, number> {
    const list = columns.map((column) => this.#client.escapeIdentifier(column)).join(', ');
    const statement = `copy (select ${list} from ${this.#client.escapeIdentifier(name)}) to stdout`;
    const copies: { readonly rowCount: number }[] = [];
    for (const tenant of this.#slices(isolated)) {
      await this.#enter(tenant);
      const copy = this.#client.query(copyTo(statement));
      copies.push(copy);
      for await (const chunk of copy) yield chunk;
    }
    // The row count of a COPY is only available once PostgreSQL is ready for the next statement.
    await this.#client.query('select');
    return copies.reduce((sum, { rowCount }) => sum + rowCount, 0);
  }

  /** Yields, in batches, the blobs of all jobs whose files have not been removed. */
  async *blobReferences(): AsyncGenerator<readonly BlobReference[]> {
    for (const tenant of this.#slices(true)) {
      await this.#enter(tenant);
      await this.#client.query(
        `declare kept_blobs no scroll cursor for
         select i.tenant_id as "tenantId", i.id as "ingestionId", i.requested_at as "requestedAt",
           coalesce((select sum(f.blob_bytes) from frames f
             where f.tenant_id = i.tenant_id and f.ingestion_id = i.id), 0)::float8 as bytes
         from ingestions i where i.blob_removed_at is null`,
      );
      for (;;) {
        const { rows } = await this.#client.query<BlobReference>(
          `fetch ${REFERENCES_PER_FETCH} from kept_blobs`,
        );
        if (rows.length === 0) break;
        yield rows;
      }
      await this.#client.query('close kept_blobs');
    }
  }

  #slices(isolated: boolean): readonly (string | undefined)[] {
    return isolated && this.#tenants !== undefined ? this.#tenants : [undefined];
  }

  async #enter(tenant: string | undefined): Promise<void> {
    if (tenant !== undefined) await setTenant(this.#client, tenant);
  }

  /** Fails instead of writing a backup that silently lacks rows. */
  async #assertTenantsVisible(): Promise<void> {
    for (const tenant of this.#tenants ?? []) {
      await this.#enter(tenant);
      const { rowCount } = await this.#client.query('select from tenants where tenant_id = $1', [tenant]);
      if (rowCount !== 1)
        throw new OperatorError(
          `the role in DATABASE_URL cannot read tenant ${tenant}; use the role that owns the tables, or a superuser`,
        );
    }
  }
}
