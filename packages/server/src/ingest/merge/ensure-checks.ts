import { hash } from 'node:crypto';
import type { CheckTexts, DetectionFinding } from '@sluice/ocsf';
import { inTransaction, type Queryable } from '../../db/transaction.ts';

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
