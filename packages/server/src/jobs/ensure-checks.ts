import type { CheckTexts, DetectionFinding } from '@sluice/ocsf';
import { inTransaction, type Queryable } from '../db/transaction.ts';

type CheckOfFinding = Pick<DetectionFinding, 'providerType' | 'checkId' | 'check' | 'time'>;

/**
 * Keeps the texts of every check once, those of the newest record. Remembers what it has written, so that the
 * same texts cost one statement per worker and not one per frame.
 */
export class CheckKeeper {
  readonly #known = new Map<string, { readonly texts: string; readonly time: number }>();
  readonly #maxKnown: number;

  constructor(maxKnown = 20_000) {
    this.#maxKnown = maxKnown;
  }

  /** Writes what is new or newer, in a short transaction on a connection of its own. */
  async ensure(client: Queryable, tenantId: string, findings: readonly CheckOfFinding[]): Promise<void> {
    const changed = [...newestPerCheck(findings)]
      .map(([key, finding]) => ({
        key: `${tenantId}\0${key}`,
        finding,
        texts: JSON.stringify(finding.check),
      }))
      .filter(({ key, finding, texts }) => this.#isNews(key, texts, finding.time))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    if (changed.length === 0) return;
    await inTransaction(client, tenantId, () =>
      client.query(UPSERT, [tenantId, JSON.stringify(changed.map(({ finding }) => checkJson(finding)))]),
    );
    if (this.#known.size > this.#maxKnown) this.#known.clear();
    for (const { key, finding, texts } of changed) this.#known.set(key, { texts, time: finding.time });
  }

  #isNews(key: string, texts: string, time: number): boolean {
    const known = this.#known.get(key);
    return known === undefined || time > known.time || (time === known.time && texts !== known.texts);
  }
}

/** Decides between two records of one time, so that the result does not depend on who came first. */
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

function newestPerCheck(findings: readonly CheckOfFinding[]): Map<string, CheckOfFinding> {
  const newest = new Map<string, CheckOfFinding>();
  for (const finding of findings) {
    const key = `${finding.providerType}\0${finding.checkId}`;
    const known = newest.get(key);
    if (known === undefined || finding.time >= known.time) newest.set(key, finding);
  }
  return newest;
}

function checkJson({
  providerType,
  checkId,
  check,
  time,
}: CheckOfFinding): CheckTexts & Record<string, unknown> {
  return { ...check, provider_type: providerType, check_id: checkId, seen_at: new Date(time).toISOString() };
}
