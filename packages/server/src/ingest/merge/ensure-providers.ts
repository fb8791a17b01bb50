import type { DetectionFinding } from '@sluice/ocsf';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import { PairMap } from '../../lib/pair-map.ts';
import { recordNewProviders } from '../../webhooks/provider-events.ts';

type Account = Pick<DetectionFinding, 'providerType' | 'account' | 'accountName'>;

/** Map key of an account and its provider type. The provider type cannot contain the separator. */
function accountKey({ providerType, account }: Pick<Account, 'providerType' | 'account'>): string {
  return `${providerType}\0${account}`;
}

/** Looks up the ids of the providers of accounts. */
export type ProviderLookup = typeof findProviders;

/** The providers of the accounts in one frame, each looked up once. */
export class FrameProviders {
  readonly #findIds: ProviderLookup;
  readonly #client: Queryable;
  readonly #tenantId: string;
  /** By provider type and account. */
  readonly #ids = new PairMap<string | undefined>();

  /** `findIds` is `ensureProviders`, or `findProviders`, which needs an open transaction for the tenant. */
  constructor(findIds: ProviderLookup, client: Queryable, tenantId: string) {
    this.#findIds = findIds;
    this.#client = client;
    this.#tenantId = tenantId;
  }

  /** Looks up these accounts, so that `idOf` can return their providers. */
  async find(accounts: readonly Account[]): Promise<void> {
    const unknown = accounts.filter(({ providerType, account }) => !this.#ids.has(providerType, account));
    if (unknown.length === 0) return;
    const found = await this.#findIds(this.#client, this.#tenantId, unknown);
    for (const wanted of unknown)
      this.#ids.set(wanted.providerType, wanted.account, found.get(accountKey(wanted)));
  }

  /** The id of the account's provider; `undefined` if the account has none. */
  idOf({ providerType, account }: Account): string | undefined {
    return this.#ids.get(providerType, account);
  }
}

/**
 * Returns the ID of the live provider of each account, keyed by `accountKey`. Creates missing providers exactly once,
 * no matter how many workers run concurrently (docs/specification.md, "What the service does"). Uses a short
 * transaction on a separate connection: a frame's transaction must not hold locks that other frames wait for.
 * `publicUrl` is the base URL for links in events, if it is known.
 */
export async function ensureProviders(
  client: Queryable,
  tenantId: string,
  accounts: readonly Account[],
  publicUrl: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  // In a fixed order, so that two transactions never deadlock.
  const wanted = [...new Map(accounts.map((account) => [accountKey(account), account])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, account]) => account);
  return await inTransaction(client, tenantId, async () => {
    const known = await findProviders(client, tenantId, wanted);
    const missing = wanted.filter((account) => !known.has(accountKey(account)));
    if (missing.length === 0) return known;
    const { rows: created } = await client.query<CreatedProvider>(
      `insert into providers (tenant_id, id, type, account, name, created_at)
       select t.tenant_id, w.*, statement_timestamp()
       from tenants t cross join unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as w (id, type, account, name)
       where t.tenant_id = $1 order by w.type collate "C", w.account collate "C"
       on conflict (tenant_id, type, account) where deleted_at is null do nothing
       returning id, type as "providerType", account, name, ${utcTimestamp('created_at')} as inserted_at`,
      [
        tenantId,
        missing.map(() => uuidv7()),
        missing.map(({ providerType }) => providerType),
        missing.map(({ account }) => account),
        missing.map(({ accountName }) => accountName),
      ],
    );
    const events = created.map(({ providerType: type, ...provider }) => ({ ...provider, type }));
    await recordNewProviders(client, tenantId, events, publicUrl);
    const own = idsByAccount(created);
    // Created by another worker in the meantime.
    const others = missing.filter((account) => !own.has(accountKey(account)));
    return new Map([...known, ...own, ...(await findProviders(client, tenantId, others))]);
  });
}

interface StoredProvider extends Pick<Account, 'providerType' | 'account'> {
  readonly id: string;
}

interface CreatedProvider extends StoredProvider {
  readonly name: string | null;
  /** In ISO 8601 format with microseconds and `Z`. */
  readonly inserted_at: string;
}

function idsByAccount(providers: readonly StoredProvider[]): Map<string, string> {
  return new Map(providers.map((provider) => [accountKey(provider), provider.id]));
}

/**
 * Filters by arrays and does not join: without statistics on newly created providers, PostgreSQL would read all
 * providers of the tenant for each account. In the worst case, this query reads them once. May return more providers
 * than requested.
 */
export async function findProviders(
  client: Queryable,
  tenantId: string,
  wanted: readonly Account[],
): Promise<ReadonlyMap<string, string>> {
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

/**
 * Sets the time of each provider's newest record, unless it is already later. Call it as late as possible: until the
 * transaction ends, it locks rows that all frames of the same accounts share. The arrays are in subqueries so that
 * PostgreSQL looks up each row (see `updateSql` in create-resources.ts).
 */
export async function updateLastSeen(
  client: Queryable,
  tenantId: string,
  tallies: readonly { readonly providerId: string; readonly endedAt: number }[],
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { providerId, endedAt } of tallies)
    newest.set(providerId, Math.max(endedAt, newest.get(providerId) ?? endedAt));
  if (newest.size === 0) return;
  await client.query(
    `with later as materialized (
       select p.id, w.at
       from (select * from unnest((select $2::uuid[]), (select $3::timestamptz[])) as w (id, at) order by id) as w
       cross join lateral (
         select id from providers
         where tenant_id = $1 and id = w.id and (last_seen_at is null or last_seen_at < w.at) offset 0 for no key update
       ) as p
     )
     update providers p set last_seen_at = later.at from later where p.tenant_id = $1 and p.id = later.id`,
    [tenantId, [...newest.keys()], Array.from(newest.values(), (at) => new Date(at).toISOString())],
  );
}
