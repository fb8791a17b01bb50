import type { Queryable } from '../../db/transaction.ts';
import { briefText, briefTexts } from '../../jsonapi/truncate-texts.ts';

/** What a finding shows of its check. */
export interface CheckTexts {
  readonly check_title: string | null;
  readonly categories: readonly string[];
}

interface CheckReference {
  readonly provider_type: string;
  readonly check_id: string;
}

const NO_TEXTS: CheckTexts = { check_title: null, categories: [] };

/**
 * Adds the texts of their checks to findings. Each check is read once, as one check of a whole page may have megabytes of them.
 * In lists texts are brief. A lateral subquery for each check always uses the whole primary key, see `providerSubquery`.
 */
export async function withCheckTexts<Row extends CheckReference>(
  client: Queryable,
  tenantId: string,
  rows: readonly Row[],
  { isBrief }: { readonly isBrief: boolean },
): Promise<readonly (Row & CheckTexts)[]> {
  if (rows.length === 0) return [];
  const distinct = new Map(rows.map((row) => [keyOf(row), row]));
  const [title, categories] = isBrief
    ? [briefText('title'), briefTexts('categories')]
    : ['title', 'categories'];
  const { rows: checks } = await client.query<CheckReference & CheckTexts>(
    `select wanted.provider_type, wanted.check_id, checks.check_title, checks.categories
     from unnest($2::text[], $3::text[]) as wanted (provider_type, check_id)
     cross join lateral (select ${title} as check_title, coalesce(${categories}, '{}') as categories from checks
       where checks.tenant_id = $1 and checks.provider_type = wanted.provider_type
         and checks.check_id = wanted.check_id offset 0) as checks`,
    [
      tenantId,
      Array.from(distinct.values(), (row) => row.provider_type),
      Array.from(distinct.values(), (row) => row.check_id),
    ],
  );
  const textsByKey = new Map(
    checks.map((check) => [
      keyOf(check),
      { check_title: check.check_title, categories: check.categories } satisfies CheckTexts,
    ]),
  );
  return rows.map((row) => ({ ...row, ...(textsByKey.get(keyOf(row)) ?? NO_TEXTS) }));
}

/** Neither part holds U+0000: PostgreSQL's text refuses it. */
function keyOf({ provider_type, check_id }: CheckReference): string {
  return `${provider_type}\0${check_id}`;
}
