import type { Access, AccessRule } from '../../auth/permissions.ts';
import type { Queryable } from '../../db/transaction.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import type { Query } from '../../jsonapi/query.ts';
import type { ResourceDescription } from '../../jsonapi/schemas.ts';
import { truncateTexts } from '../../jsonapi/truncate-texts.ts';
import type { Endpoint } from './endpoint.ts';
import type { ResourceType } from './resource-type.ts';

export interface ReadContext {
  readonly client: Queryable;
  readonly tenantId: string;
  readonly query: Query;
  readonly publicUrl: string;
}

/** How to load the resources for one value of `include`. */
export interface Include<Row> {
  readonly resource: ResourceDescription;
  /** The access rule of the related type's list, so that `include` does not expose more than the list. */
  readonly access: AccessRule;
  /** Loads the distinct resources related to these rows. */
  readonly load: (context: ReadContext, rows: readonly Row[]) => Promise<readonly object[]>;
}

/** Keyed by the values of `include`. */
export type Includes<Row> = Readonly<Record<string, Include<Row>>>;

/** Includes resources of another type that a row refers to by id. */
export function includeRelated<Row, Related>(
  resourceType: ResourceType<Related>,
  idsOf: (row: Row) => readonly string[],
): Include<Row> {
  const { resource, access, findByIds, toResource } = resourceType;
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

/** Loads the resources that the query's `include` requests for the rows of a list. Does not truncate long strings. */
export async function loadIncluded<Row>(
  includes: Includes<Row>,
  context: ReadContext,
  rows: readonly Row[],
): Promise<{ readonly included?: readonly object[] }> {
  const { include } = context.query;
  if (include.size === 0) return {};
  const included: object[] = [];
  for (const [name, { load }] of Object.entries(includes))
    if (include.has(name)) included.push(...(await load(context, rows)));
  return { included };
}

/** Loads the resources that the query's `include` requests for one resource. Long strings are truncated as in lists. */
export async function loadIncludedForOne<Row>(
  includes: Includes<Row>,
  context: ReadContext,
  row: Row,
): Promise<{ readonly included?: readonly object[] }> {
  const { included } = await loadIncluded(includes, context, [row]);
  return included === undefined ? {} : { included: truncateTexts(included).data };
}

/** The resource types that can be included, for a document's schema. */
export function includedResources(includes: Includes<never>): readonly ResourceDescription[] {
  return Object.values(includes).map(({ resource }) => resource);
}

/** The `query` and `includes` of an endpoint that returns a resource and its related resources. */
export function resourceQuery(
  resource: ResourceDescription,
  includes: Includes<never>,
): Required<Pick<Endpoint, 'query' | 'includes'>> {
  const resources = [resource, ...includedResources(includes)];
  return {
    query: { fields: Object.fromEntries(resources.map(({ type, attributes }) => [type, attributes])) },
    includes,
  };
}

/**
 * Throws an ApiError (403) if `include` would return resources that the key is not allowed to list. Does not check for
 * an active subscription, although some lists require one, because a subscription does not restrict individual users.
 */
export function assertMayInclude(
  { permissions }: Pick<Access, 'permissions'>,
  includes: NonNullable<Endpoint['includes']>,
  requested: ReadonlySet<string>,
): void {
  for (const [name, { access }] of Object.entries(includes)) {
    const missing = access.permissions.find((permission) => !permissions.has(permission));
    if (!requested.has(name) || missing === undefined) continue;
    throw new ApiError({
      status: 403,
      code: 'permission_denied',
      detail: `Including '${name}' requires the permission ${missing}, which this API key lacks. Use an unrestricted key, or assign its user a role that has the permission.`,
      source: { parameter: 'include' },
    });
  }
}
