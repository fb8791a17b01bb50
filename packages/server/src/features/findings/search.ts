import { hasKeyIn } from '../../db/opaque-condition.ts';
import { avoidIndexScans } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Condition, ConditionSql } from '../../jsonapi/filters.ts';
import { UnpreparedCondition } from '../../resources/prepare-conditions.ts';
import { matchesWord, type SearchWord, searchWord, splitWords } from '../../resources/search-words.ts';
import {
  type FoundKeys,
  fragmentMatches,
  hasStoredUids,
  linkedFindings,
  lowerCase,
  type MatchingResources,
  matchingChecks,
  matchingFacets,
  matchingProviders,
  matchingResources,
  nameMatches,
  patternMatches,
} from './search-keys.ts';
import { type UidFragment, uidFragments } from './uid-fragments.ts';

/** `filter[search]`: texts are compared once per check, provider, region and resource. */
class SearchCondition extends UnpreparedCondition {
  readonly words: readonly string[];

  constructor(text: string) {
    super();
    this.words = splitWords(text);
  }

  readonly previousSql: ConditionSql = (bind, tenant) => {
    const words = this.words.map((word) => previousWordSql(searchWord(word), bind, tenant));
    return ['true', ...words].join(' and ');
  };

  override async prepare(client: Queryable, tenantId: string): Promise<readonly Condition[]> {
    return await searchWords(client, tenantId, this.words);
  }
}

/**
 * Returns the condition for `filter[search]`. Throws an ApiError (400) if the text has too many words or a word is too
 * long.
 */
export function searchCondition(text: string): Condition {
  return new SearchCondition(text);
}

async function searchWords(
  client: Queryable,
  tenantId: string,
  texts: readonly string[],
): Promise<readonly Condition[]> {
  if (texts.length === 0) return [];
  const words = await lowerCase(client, texts);
  const checks = await matchingChecks(client, tenantId, words);
  const providers = await matchingProviders(client, tenantId, words);
  const facets = await matchingFacets(client, tenantId, words);
  const areUidsStored = await hasStoredUids(client, tenantId);
  const conditions: Condition[] = [];
  for (const [at, word] of words.entries()) {
    const fragments = uidFragments(word, checks.all);
    const matchingAccounts = providers[at] ?? [];
    const resources = await matchingResources(client, tenantId, word, {
      fragments,
      except: matchingAccounts,
    });
    const matches: Matches = {
      checks: checks.matching[at] ?? [],
      providers: matchingAccounts,
      facets: facets[at] ?? [],
      fragments,
      resources,
      linked: await linkedFindings(client, tenantId, resources.named),
      hasStoredUids: areUidsStored,
    };
    conditions.push(wordCondition(word, matches));
  }
  await avoidIndexScans(client);
  return conditions;
}

/** The rows that match a word. */
interface Matches {
  readonly checks: readonly string[];
  readonly providers: readonly string[];
  readonly facets: readonly string[];
  readonly fragments: readonly UidFragment[];
  readonly resources: MatchingResources;
  /** Findings that refer to a matching resource in addition to their first resource. */
  readonly linked: FoundKeys;
  /** Whether any finding stores its uid. */
  readonly hasStoredUids: boolean;
}

/** The totals support the condition if the word matches only checks, providers and facets. */
function wordCondition(word: SearchWord, matches: Matches): Condition {
  const sql = wordSql(word, matches);
  const { checks, providers, facets, resources, linked } = matches;
  const isNone = (keys: FoundKeys) => keys !== undefined && keys.length === 0;
  const areNone = [resources.named, resources.patterned, ...resources.fragments, linked].every(isNone);
  if (!areNone || matches.hasStoredUids) return { sql };
  const dimensions = Object.entries({ check: checks, provider: providers, facet: facets })
    .filter(([, keys]) => keys.length > 0)
    .map(([dimension]) => dimension);
  return { sql, countsSql: sql, dimensions };
}

/**
 * The condition that a finding matches the word. Findings without a uid have the uid that their resource's pattern
 * yields.
 */
function wordSql(word: SearchWord, matches: Matches): ConditionSql {
  const { checks, providers, facets, fragments, resources, linked, hasStoredUids } = matches;
  return (bind, tenant) => {
    const among = (column: string, values: readonly string[], type: string) =>
      values.length === 0 ? [] : [`${column} = any(${bind(values)}::${type}[])`];
    const resourceAmong = (keys: FoundKeys, part: () => string) =>
      keys === undefined
        ? [hasKeyIn('findings.resource_key', resourcesWhere(part()))]
        : among('findings.resource_key', keys, 'bigint');
    const resourcesWhere = (part: string) =>
      `select key from resources where tenant_id = ${tenant} and ${part}`;
    const linkedWhere = (part: string) =>
      `select finding_id from finding_resources where tenant_id = ${tenant} and ${hasKeyIn('resource_key', resourcesWhere(part))}`;
    const ofPattern = [
      ...resourceAmong(resources.patterned, () => patternMatches(word, bind)),
      ...fragments.flatMap((fragment, at) =>
        resourceAmong(resources.fragments[at], () => fragmentMatches(fragment, bind)).map(
          (sql) => `(findings.check_key = any(${bind(fragment.checkKeys)}::bigint[]) and ${sql})`,
        ),
      ),
    ];
    const conditions = [
      ...among('findings.check_key', checks, 'bigint'),
      ...among('findings.provider_id', providers, 'uuid'),
      ...among('findings.facet_key', facets, 'bigint'),
      ...resourceAmong(resources.named, () => nameMatches(word, bind)),
      ...(linked === undefined
        ? [hasKeyIn('findings.id', linkedWhere(nameMatches(word, bind)))]
        : among('findings.id', linked, 'uuid')),
      ...(ofPattern.length === 0 ? [] : [`(findings.uid is null and (${ofPattern.join(' or ')}))`]),
      ...(hasStoredUids
        ? [`(findings.uid is not null and ${matchesWord('lower(findings.uid)', word, bind)})`]
        : []),
    ];
    return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`;
  };
}

/** The condition on the columns of the previous layout. */
function previousWordSql(word: SearchWord, bind: (value: unknown) => string, tenant: string): string {
  const lower = (...columns: readonly string[]) => `lower(concat_ws(E'\\n', ${columns.join(', ')}))`;
  const own = ['uid', 'check_id', 'resource_uid', 'resource_name', 'region'].map(
    (name) => `findings.${name}`,
  );
  const account = lower('providers.account', 'providers.alias', 'providers.name');
  return `(${matchesWord(lower(...own), word, bind)}
    or findings.provider_id in (select providers.id from providers
      where providers.tenant_id = ${tenant} and ${matchesWord(account, word, bind)})
    or (findings.provider_id, findings.check_id) in (select providers.id, checks.check_id from checks
      join providers on providers.tenant_id = checks.tenant_id and providers.type = checks.provider_type
      where checks.tenant_id = ${tenant} and ${matchesWord('lower(checks.title)', word, bind)}))`;
}
