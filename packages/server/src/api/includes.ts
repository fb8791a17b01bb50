import type { Queryable } from '../db/transaction.ts';
import { boundTexts } from '../jsonapi/bound-texts.ts';
import type { Query } from '../jsonapi/query.ts';
import type { ResourceDescription } from '../jsonapi/schemas.ts';
import type { AccessRule } from '../plugins/access.ts';
import type { Endpoint } from './endpoint.ts';
import type { ResourceKind } from './resource-kind.ts';

/** A query of a tenant while it is answered. */
export interface Reading {
  readonly client: Queryable;
  readonly tenantId: string;
  readonly query: Query;
  readonly publicUrl: string;
}

/** What one word of `include` brings along with rows. */
export interface Include<Row> {
  readonly resource: ResourceDescription;
  /** What the related kind's own list needs: nobody sees more by `include`. */
  readonly access: AccessRule;
  /** The related resources of these rows, each once. */
  readonly load: (reading: Reading, rows: readonly Row[]) => Promise<readonly object[]>;
}

/** By the words that `include` takes. */
export type Includes<Row> = Readonly<Record<string, Include<Row>>>;

/** Brings along the resources of another kind whose ids a row names. */
export function includeOf<Row, Related>(
  kind: ResourceKind<Related>,
  idsOf: (row: Row) => readonly string[],
): Include<Row> {
  const { resource, access, findByIds, toResource } = kind;
  return {
    resource,
    access,
    load: async ({ client, tenantId, query, publicUrl }, rows) => {
      const ids = [...new Set(rows.flatMap(idsOf))];
      if (ids.length === 0) return [];
      const fields = query.fields.get(resource.type);
      const related = await findByIds(client, tenantId, ids, fields, 'brief');
      return related.map((row) => toResource(row, publicUrl, fields));
    },
  };
}

/** All that the query includes with these rows, for a list, which bounds it; nothing where the query asks for nothing. */
export async function loadIncluded<Row>(
  includes: Includes<Row>,
  reading: Reading,
  rows: readonly Row[],
): Promise<{ readonly included?: readonly object[] }> {
  const { include } = reading.query;
  if (include.size === 0) return {};
  const included: object[] = [];
  for (const [name, { load }] of Object.entries(includes))
    if (include.has(name)) included.push(...(await load(reading, rows)));
  return { included };
}

/** The same for the document of one resource; its own texts are whole, those of what it includes as in lists. */
export async function loadIncludedOfOne<Row>(
  includes: Includes<Row>,
  reading: Reading,
  row: Row,
): Promise<{ readonly included?: readonly object[] }> {
  const { included } = await loadIncluded(includes, reading, [row]);
  return included === undefined ? {} : { included: boundTexts(included).data };
}

/** The kinds of resources that can come along, for a document's schema. */
export function includedKinds(includes: Includes<never>): readonly ResourceDescription[] {
  return Object.values(includes).map(({ resource }) => resource);
}

/** What an endpoint takes that answers with a resource and what can be brought along with it. */
export function queryOf(
  resource: ResourceDescription,
  includes: Includes<never>,
): Required<Pick<Endpoint, 'query' | 'includes'>> {
  const kinds = [resource, ...includedKinds(includes)];
  return {
    query: { fields: Object.fromEntries(kinds.map(({ type, attributes }) => [type, attributes])) },
    includes,
  };
}
