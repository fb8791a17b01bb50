import type { Queryable } from '../../db/transaction.ts';
import { briefText, briefTexts } from '../../jsonapi/truncate-texts.ts';

/** The text columns of a check that are returned with its findings. */
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
 * Adds the checks' text columns to findings. Reads each check only once, because its text may be several megabytes in
 * size. A lateral subquery for each check always uses the complete primary key (see `providerSubquery`).
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
    `select requested.provider_type, requested.check_id, checks.check_title, checks.categories
     from unnest($2::text[], $3::text[]) as requested (provider_type, check_id)
     cross join lateral (select ${title} as check_title, coalesce(${categories}, '{}') as categories from checks
       where checks.tenant_id = $1 and checks.provider_type = requested.provider_type
         and checks.check_id = requested.check_id offset 0) as checks`,
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

/** Unambiguous, because stored text never contains U+0000. */
function keyOf({ provider_type, check_id }: CheckReference): string {
  return `${provider_type}\0${check_id}`;
}
