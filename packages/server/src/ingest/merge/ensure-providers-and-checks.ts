import { hash } from 'node:crypto';
import type { CheckTexts, DetectionFinding } from '@sluice/ocsf';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction, type Queryable } from '../../db/transaction.ts';

type Account = Pick<DetectionFinding, 'providerType' | 'account' | 'accountName'>;

/** Map key of an account and its provider type. The provider type cannot contain the separator. */
function accountKey({ providerType, account }: Pick<Account, 'providerType' | 'account'>): string {
  return `${providerType}\0${account}`;
}

/** The providers of the accounts in one frame, each looked up once. */
export class FrameProviders {
  readonly #client: Queryable;
  readonly #tenantId: string;
  readonly #ids = new Map<string, string>();

  constructor(client: Queryable, tenantId: string) {
    this.#client = client;
    this.#tenantId = tenantId;
  }

  /** Looks up these accounts, creating missing providers, so that `idOf` can return their ids. */
  async ensure(accounts: readonly Account[]): Promise<void> {
    const unknown = accounts.filter((account) => !this.#ids.has(accountKey(account)));
    if (unknown.length === 0) return;
    const found = await ensureProviders(this.#client, this.#tenantId, unknown);
    for (const [key, id] of found) this.#ids.set(key, id);
  }

  /** @throws if the provider was deleted while it was being looked up; the next attempt creates it again */
  idOf(of: Account): string {
    const id = this.#ids.get(accountKey(of));
    if (id !== undefined) return id;
    throw new Error(
      `the provider of account ${of.account} (${of.providerType}) was deleted while its findings were being read`,
    );
  }
}

/**
 * Returns the ID of the live provider of each account, keyed by `accountKey`. Creates missing providers exactly once,
 * no matter how many workers run concurrently (docs/specification.md, "What the service does"). Uses a short
 * transaction on a separate connection: a frame's transaction must not hold locks that other frames wait for.
 */
async function ensureProviders(
  client: Queryable,
  tenantId: string,
  accounts: readonly Account[],
): Promise<ReadonlyMap<string, string>> {
  // In a fixed order, so that two transactions never deadlock.
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
 * Filters by arrays and does not join: without statistics on newly created providers, PostgreSQL would read all
 * providers of the tenant for each account. In the worst case, this query reads them once. May return more providers
 * than requested.
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

/** The description of a check, and the record from which it was read. */
export interface CheckOfRecord {
  readonly finding: Pick<DetectionFinding, 'providerType' | 'checkId' | 'time'>;
  readonly texts: CheckTexts;
}

/** Map key of a check and its provider type. Neither part can contain the separator. */
export function checkKey({
  providerType,
  checkId,
}: Pick<DetectionFinding, 'providerType' | 'checkId'>): string {
  return `${providerType}\0${checkId}`;
}

/**
 * Stores the description of each check once, from its newest record. Caches a hash of the stored description, so that
 * an unchanged description costs one statement per worker instead of one per frame. A description can be megabytes
 * long.
 */
export class CheckStore {
  readonly #known = new Map<string, { readonly texts: string; readonly time: number }>();
  readonly #maxKnown: number;

  constructor(maxKnown = 20_000) {
    this.#maxKnown = maxKnown;
  }

  /** Writes new and changed checks in a separate short transaction. Each check must occur only once. */
  async ensure(client: Queryable, tenantId: string, checks: Iterable<CheckOfRecord>): Promise<void> {
    const changed = [...checks]
      .map((check) => ({
        key: `${tenantId}\0${checkKey(check.finding)}`,
        check,
        texts: hash('sha256', JSON.stringify(check.texts), 'base64'),
        time: check.finding.time,
      }))
      .filter(({ key, texts, time }) => this.#isNewer(key, texts, time))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    if (changed.length === 0) return;
    await inTransaction(client, tenantId, () =>
      client.query(UPSERT, [tenantId, JSON.stringify(changed.map(({ check }) => checkJson(check)))]),
    );
    if (this.#known.size > this.#maxKnown) this.#known.clear();
    for (const { key, texts, time } of changed) this.#known.set(key, { texts, time });
  }

  #isNewer(key: string, texts: string, time: number): boolean {
    const known = this.#known.get(key);
    return known === undefined || time > known.time || (time === known.time && texts !== known.texts);
  }
}

/** Breaks ties between two records with the same time, so that the result does not depend on their order. */
const textsOf = (row: string) =>
  `row(${['title', 'description', 'risk', 'remediation', '"references"', 'categories'].map((column) => `${row}.${column}`).join(', ')})::text collate "C"`;

const UPSERT = `
  insert into checks as c (tenant_id, provider_type, check_id, title, description, risk, remediation,
    "references", categories, seen_at)
  select $1, w.* from jsonb_to_recordset($2::jsonb) as w (provider_type text, check_id text, title text, description text,
    risk text, remediation text, "references" text[], categories text[], seen_at timestamptz)
  on conflict (tenant_id, provider_type, check_id) do update set
    title = excluded.title, description = excluded.description, risk = excluded.risk,
    remediation = excluded.remediation, "references" = excluded."references", categories = excluded.categories,
    seen_at = excluded.seen_at
  where (c.seen_at, ${textsOf('c')}) < (excluded.seen_at, ${textsOf('excluded')})`;

function checkJson({ finding, texts }: CheckOfRecord): CheckTexts & Record<string, unknown> {
  const { providerType, checkId, time } = finding;
  return { ...texts, provider_type: providerType, check_id: checkId, seen_at: new Date(time).toISOString() };
}
