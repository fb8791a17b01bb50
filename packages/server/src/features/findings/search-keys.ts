import { withForcedIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { CHECK_ID_PLACEHOLDER } from '../../ingest/merge/uid-pattern.ts';
import { MAX_KEYS } from '../../resources/prepare-conditions.ts';
import { matchesWord, type SearchWord, searchWord } from '../../resources/search-words.ts';
import type { SearchedCheck, UidFragment } from './uid-fragments.ts';

type Bind = (value: unknown) => string;

/** The keys of matching rows; `undefined` if there are too many to pass as a parameter. */
export type FoundKeys = readonly string[] | undefined;

/** The resources that match a word, by the part of the resource that matches. */
export interface MatchingResources {
  /** Name or uid. */
  readonly named: FoundKeys;
  /** Only the pattern of the uids of its findings. */
  readonly patterned: FoundKeys;
  /** For each fragment: the pattern contains it. */
  readonly fragments: readonly FoundKeys[];
}

/** SQL for whether the name or uid of a row of `resources` matches. */
export function nameMatches(word: SearchWord, bind: Bind): string {
  // The first condition decides for most rows, without a conversion to lower case.
  return `${anywhereMatches(word, bind)} and ${inNames(word, bind)}`;
}

/** SQL for whether only the pattern of a row of `resources` matches. */
export function patternMatches(word: SearchWord, bind: Bind): string {
  return `${anywhereMatches(word, bind)} and not ${inNames(word, bind)}`;
}

/** SQL for whether the pattern of a row of `resources` contains the fragment. */
export function fragmentMatches(fragment: UidFragment, bind: Bind): string {
  return `(${matchesWord('search', fragment, bind)})`;
}

/** The character before the placeholder's end is unknown here: `uidFragments` has a fragment for it. */
function anywhereMatches(word: SearchWord, bind: Bind): string {
  return `(${matchesWord('search', word, bind, CHECK_ID_PLACEHOLDER)})`;
}

function inNames(word: SearchWord, bind: Bind): string {
  return `(${matchesWord(`lower(uid || E'\\n' || coalesce(name, ''))`, word, bind)})`;
}

/** Converts words to lower case, and removes duplicates. */
export async function lowerCase(client: Queryable, texts: readonly string[]): Promise<readonly SearchWord[]> {
  const { rows } = await client.query<{ text: string }>(
    'select distinct lower(text) as text from unnest($1::text[]) as words (text)',
    [texts],
  );
  return rows.map(({ text }) => searchWord(text));
}

/** All checks of the tenant, and for each word the keys of those whose title or id matches. */
export async function matchingChecks(client: Queryable, tenantId: string, words: readonly SearchWord[]) {
  const values: unknown[] = [tenantId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const text = `lower(check_id || E'\\n' || coalesce(title, ''))`;
  const matches = words.map((word) => matchesWord(text, word, bind)).join(', ');
  const { rows } = await client.query<SearchedCheck & { readonly matches: readonly boolean[] }>(
    `select key, lower(check_id) as "checkId", array[${matches}] as matches
     from checks where tenant_id = $1`,
    values,
  );
  const matching = words.map((_, at) => rows.filter(({ matches }) => matches[at]).map(({ key }) => key));
  return { all: rows, matching };
}

/** Returns for each word the ids of the providers whose account, alias or name matches. */
export async function matchingProviders(client: Queryable, tenantId: string, words: readonly SearchWord[]) {
  const text = `lower(concat_ws(E'\\n', account, alias, name))`;
  return await matchingKeys(client, tenantId, words, { table: 'providers', key: 'id', text });
}

/** Returns for each word the keys of the facets whose region matches. */
export async function matchingFacets(client: Queryable, tenantId: string, words: readonly SearchWord[]) {
  const source = { table: 'finding_facets', key: 'key', text: 'lower(region)' };
  return await matchingKeys(client, tenantId, words, source);
}

async function matchingKeys(
  client: Queryable,
  tenantId: string,
  words: readonly SearchWord[],
  { table, key, text }: { readonly table: string; readonly key: string; readonly text: string },
): Promise<readonly (readonly string[])[]> {
  const values: unknown[] = [tenantId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const matches = words.map((word) => matchesWord(text, word, bind)).join(', ');
  const { rows } = await client.query<{ key: string; matches: readonly (boolean | null)[] }>(
    `select key, matches from (select ${key} as key, array[${matches}] as matches from ${table} where tenant_id = $1) as found
     where true = any(matches)`,
    values,
  );
  return words.map((_, at) => rows.filter((row) => row.matches[at]).map((row) => row.key));
}

/** Reads the resources once. */
export async function matchingResources(
  client: Queryable,
  tenantId: string,
  word: SearchWord,
  { fragments, except }: { readonly fragments: readonly UidFragment[]; readonly except: readonly string[] },
): Promise<MatchingResources> {
  const values: unknown[] = [tenantId, except];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parts = [
    nameMatches(word, bind),
    patternMatches(word, bind),
    ...fragments.map((fragment) => fragmentMatches(fragment, bind)),
  ];
  const any = [anywhereMatches(word, bind), ...fragments.map((fragment) => fragmentMatches(fragment, bind))];
  const keys = (part: string) =>
    `coalesce((array_agg(key) filter (where ${part}))[1:${MAX_KEYS + 1}], '{}')::text[]`;
  const { rows } = await client.query<Record<string, readonly string[]>>(
    `select ${parts.map((part, at) => `${keys(part)} as part_${at}`).join(', ')}
     from resources where tenant_id = $1 and provider_id <> all($2::uuid[]) and (${any.join(' or ')})`,
    values,
  );
  const found = parts.map((_, at): FoundKeys => {
    const selected = rows[0]?.[`part_${at}`] ?? [];
    return selected.length > MAX_KEYS ? undefined : selected;
  });
  return { named: found[0], patterned: found[1], fragments: found.slice(2) };
}

/** Whether any of the tenant's findings stores its uid, because the pattern of its resource does not yield it. */
export async function hasStoredUids(client: Queryable, tenantId: string): Promise<boolean> {
  const text = 'select from findings where tenant_id = $1 and uid is not null limit 1';
  const { rows } = await withForcedIndexScans(client, () => client.query(text, [tenantId]));
  return rows.length > 0;
}

/**
 * Returns the ids of the findings that refer to these resources in addition to their first resource; `undefined` if
 * there are too many to pass as a parameter.
 */
export async function linkedFindings(
  client: Queryable,
  tenantId: string,
  resources: FoundKeys,
): Promise<FoundKeys> {
  const { rows: any } = await client.query('select from finding_resources where tenant_id = $1 limit 1', [
    tenantId,
  ]);
  if (any.length === 0 || resources?.length === 0) return [];
  if (resources === undefined) return undefined;
  const { rows } = await client.query<{ finding_id: string }>(
    `select distinct finding_id from finding_resources where tenant_id = $1 and resource_key = any($2::bigint[]) limit ${MAX_KEYS + 1}`,
    [tenantId, resources],
  );
  return rows.length > MAX_KEYS ? undefined : rows.map((row) => row.finding_id);
}
