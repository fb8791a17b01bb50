import type { DetectionFinding } from '@sluice/ocsf';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction, type Queryable } from '../db/transaction.ts';

type Account = Pick<DetectionFinding, 'providerType' | 'account' | 'accountName'>;

/** One account of one provider as a map key; the first part cannot hold the separator. */
function accountKey({ providerType, account }: Pick<Account, 'providerType' | 'account'>): string {
  return `${providerType}\0${account}`;
}

/** The providers of the accounts that one frame meets; each is asked for once. */
export class FrameProviders {
  readonly #client: Queryable;
  readonly #tenantId: string;
  readonly #ids = new Map<string, string>();

  constructor(client: Queryable, tenantId: string) {
    this.#client = client;
    this.#tenantId = tenantId;
  }

  /** Makes sure that `idOf` knows these accounts. */
  async ensure(accounts: readonly Account[]): Promise<void> {
    const unknown = accounts.filter((account) => !this.#ids.has(accountKey(account)));
    if (unknown.length === 0) return;
    const found = await ensureProviders(this.#client, this.#tenantId, unknown);
    for (const [key, id] of found) this.#ids.set(key, id);
  }

  /** @throws where the provider was deleted between the two statements that make sure of it; the next try creates it anew */
  idOf(of: Account): string {
    const id = this.#ids.get(accountKey(of));
    if (id !== undefined) return id;
    throw new Error(
      `the provider of account ${of.account} (${of.providerType}) was deleted while its findings were read`,
    );
  }
}

/**
 * The id of the live provider of every account (by `accountKey`); those that are missing are created, once,
 * however many workers ask at the same time (specification, "What the service does", 4). A short transaction
 * on a connection of its own: a frame's transaction must not hold locks that other frames wait for.
 */
async function ensureProviders(
  client: Queryable,
  tenantId: string,
  accounts: readonly Account[],
): Promise<ReadonlyMap<string, string>> {
  // In one order for everybody, so that two transactions never wait for each other.
  const wanted = [...new Map(accounts.map((account) => [accountKey(account), account])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, account]) => account);
  return await inTransaction(client, tenantId, async () => {
    const known = await findProviders(client, tenantId, wanted);
    const missing = wanted.filter((account) => !known.has(accountKey(account)));
    if (missing.length === 0) return known;
    const { rows: created } = await client.query<StoredProvider>(
      `insert into providers (tenant_id, id, type, account, name)
       select $1, w.* from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as w (id, type, account, name)
       order by w.type collate "C", w.account collate "C"
       on conflict (tenant_id, type, account) where deleted_at is null do nothing
       returning id, type as "providerType", account`,
      [
        tenantId,
        missing.map(() => uuidv7()),
        missing.map(({ providerType }) => providerType),
        missing.map(({ account }) => account),
        missing.map(({ accountName }) => accountName),
      ],
    );
    const own = idsByAccount(created);
    // Created by another worker in the meantime.
    const others = missing.filter((account) => !own.has(accountKey(account)));
    return new Map([...known, ...own, ...(await findProviders(client, tenantId, others))]);
  });
}

interface StoredProvider extends Pick<Account, 'providerType' | 'account'> {
  readonly id: string;
}

function idsByAccount(providers: readonly StoredProvider[]): Map<string, string> {
  return new Map(providers.map((provider) => [accountKey(provider), provider.id]));
}

/**
 * Conditions on arrays and not a join: without statistics of newly created providers PostgreSQL would read all providers of the
 * tenant for each account. At worst they are read once. May find more providers than wanted.
 */
async function findProviders(
  client: Queryable,
  tenantId: string,
  wanted: readonly Account[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await client.query<StoredProvider>(
    `select id, type as "providerType", account from providers
     where tenant_id = $1 and type = any ($2::text[]) and account = any ($3::text[]) and deleted_at is null`,
    [
      tenantId,
      [...new Set(wanted.map(({ providerType }) => providerType))],
      [...new Set(wanted.map(({ account }) => account))],
    ],
  );
  return idsByAccount(rows);
}
