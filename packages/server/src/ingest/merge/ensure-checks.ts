import type { CheckTexts, DetectionFinding } from '@sluice/ocsf';
import { isDistributed } from '../../db/distribution.ts';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { byId } from '../../lib/by-id.ts';
import type { PairMap } from '../../lib/pair-map.ts';
import { nextKeys } from './next-keys.ts';
import { updateSeenAt } from './update-seen-at.ts';

/** The description of a record's check. */
export interface TextsOfRecord {
  /** Hash of the encoded texts. Texts with the same fingerprint are equal. */
  readonly fingerprint: string;
  /** Decodes the texts. */
  readonly texts: () => CheckTexts;
}

/** The description of a check, and the record from which it was read. */
export interface CheckOfRecord extends TextsOfRecord {
  readonly finding: Pick<DetectionFinding, 'providerType' | 'checkId' | 'time'>;
}

/** A check that findings refer to. */
export interface CheckReference {
  /** `checks.key`; 0 until it is known. */
  key: number;
  readonly checkId: string;
}

/** Map key of a check and its provider type. Neither part can contain the separator. */
function checkKey({ providerType, checkId }: Pick<DetectionFinding, 'providerType' | 'checkId'>): string {
  return `${providerType}\0${checkId}`;
}

/** The description that this store last ensured for a check. */
interface KnownCheck {
  readonly key: number;
  readonly fingerprint: string;
  /** `xmin` of the row if it has these texts. It changes with each update of the row. */
  readonly version: string | null;
  readonly time: number;
}

/** A check whose description may have to be written. */
interface NewCheck extends CheckOfRecord {
  readonly id: string;
  /** Set if only the time is new. */
  readonly same: KnownCheck | undefined;
}

/**
 * Stores the description of each check once, from its newest record. Caches a fingerprint of the description, so that
 * an unchanged description is not decoded and sent again. A description can be megabytes long.
 */
export class CheckStore {
  readonly #known = new BoundedMap<string, KnownCheck>(20_000);

  /**
   * Writes new and changed checks in separate short transactions, and sets the keys of `references`, which has an entry
   * for each check. Each check must occur only once.
   */
  async ensure(
    client: Queryable,
    tenantId: string,
    checks: Iterable<CheckOfRecord>,
    references: PairMap<CheckReference>,
  ): Promise<void> {
    const newChecks: NewCheck[] = [];
    for (const check of checks) {
      const id = checkKey(check.finding);
      const { time } = check.finding;
      const known = this.#known.get(`${tenantId}\0${id}`);
      if (known !== undefined) setKey(references, check.finding, known.key);
      const same = known?.fingerprint === check.fingerprint ? known : undefined;
      if (known === undefined || time > known.time || (time === known.time && same === undefined))
        newChecks.push({ ...check, id, same });
    }
    // Ordered, so that two transactions never deadlock.
    newChecks.sort(byId);
    const unchanged = newChecks.flatMap(({ same, finding: { time } }) =>
      same === undefined ? [] : [{ ...same, time, row: same.key }],
    );
    const versions = await updateSeenAt(client, tenantId, 'checks', unchanged);
    const changed: NewCheck[] = [];
    for (const check of newChecks) {
      const version = check.same && versions.get(check.same.key);
      if (check.same === undefined || version === undefined) changed.push(check);
      else this.#known.set(`${tenantId}\0${check.id}`, { ...check.same, version, time: check.finding.time });
    }
    if (changed.length === 0) return;
    const stored = await inTransaction(client, tenantId, () => upsert(client, tenantId, changed));
    for (const { id, fingerprint, finding } of changed) {
      const check = stored.get(id);
      if (check === undefined) throw new Error(`the check ${id} was not created`);
      setKey(references, finding, check.key);
      this.#known.set(`${tenantId}\0${id}`, { ...check, fingerprint, time: finding.time });
    }
  }
}

function setKey(
  references: PairMap<CheckReference>,
  { providerType, checkId }: CheckOfRecord['finding'],
  key: number,
): void {
  const reference = references.get(providerType, checkId);
  if (reference !== undefined) reference.key = key;
}

/** Returns the keys of the checks, with the versions of those that were written. */
async function upsert(
  client: Queryable,
  tenantId: string,
  checks: readonly CheckOfRecord[],
): Promise<ReadonlyMap<string, Pick<KnownCheck, 'key' | 'version'>>> {
  const keys = isDistributed(client) ? await nextKeys(client, 'checks', checks.length) : undefined;
  const { rows: written } = await client.query<StoredCheck>(keys === undefined ? UPSERT : UPSERT_WITH_KEYS, [
    tenantId,
    JSON.stringify(checks.map((check, at) => ({ ...checkJson(check), key: keys?.[at] }))),
  ]);
  const stored = new Map(written.map((row) => [checkKey(row), row]));
  const others = checks.filter(({ finding }) => !stored.has(checkKey(finding)));
  if (others.length === 0) return stored;
  // May return more checks than these.
  const { rows } = await client.query<StoredCheck>(
    `select provider_type as "providerType", check_id as "checkId", key::float8, null as version from checks
     where tenant_id = $1 and provider_type = any($2::text[]) and check_id = any($3::text[])`,
    [
      tenantId,
      [...new Set(others.map(({ finding }) => finding.providerType))],
      others.map(({ finding }) => finding.checkId),
    ],
  );
  return new Map([...rows.map((row) => [checkKey(row), row] as const), ...stored]);
}

type StoredCheck = Pick<DetectionFinding, 'providerType' | 'checkId'> & Pick<KnownCheck, 'key' | 'version'>;

const TEXTS = ['title', 'description', 'risk', 'remediation', '"references"', 'categories', 'compliance'];
const textsOf = (row: string) =>
  `check_texts(${TEXTS.map((column) => `${row}.${column}`).join(', ')}) collate "C"`;

/**
 * The texts break ties between two records with the same time, so that the result does not depend on their order. The
 * previous release did not store the compliance of a record. The database generates the key unless it is distributed.
 */
const upsertSql = (key: '' | 'key,') => `
  insert into checks as c (tenant_id, ${key} provider_type, check_id, seen_at, ${TEXTS.join(', ')})
  select t.tenant_id, ${key} w.provider_type, w.check_id, w.seen_at, ${TEXTS.map((column) => `w.${column}`).join(', ')}
  from tenants t cross join jsonb_to_recordset($2::jsonb) as w (key bigint, provider_type text, check_id text, seen_at timestamptz,
    title text, description text, risk text, remediation text, "references" text[], categories text[], compliance text[])
  where t.tenant_id = $1
  on conflict (tenant_id, provider_type, check_id) do update set
    ${[...TEXTS, 'seen_at'].map((column) => `${column} = excluded.${column}`).join(', ')}
  where (c.seen_at, cardinality(c.compliance), ${textsOf('c')})
    < (excluded.seen_at, cardinality(excluded.compliance), ${textsOf('excluded')})
  returning c.provider_type as "providerType", c.check_id as "checkId", c.key::float8, c.xmin::text as version`;

const UPSERT = upsertSql('');
const UPSERT_WITH_KEYS = upsertSql('key,');

function checkJson({ finding, texts }: CheckOfRecord): CheckTexts & Record<string, unknown> {
  const { providerType, checkId, time } = finding;
  return {
    ...texts(),
    provider_type: providerType,
    check_id: checkId,
    seen_at: new Date(time).toISOString(),
  };
}
