import type { AccessRule } from '../../auth/permissions.ts';
import type { Queryable } from '../../db/transaction.ts';
import { type ApiError, notFound } from '../../jsonapi/errors.ts';
import type { ResourceDescription } from '../../jsonapi/schemas.ts';

/** The attributes that a request selects; `undefined` selects all of them. */
export type Fields = ReadonlySet<string> | undefined;

/** Whether long strings are read in full or only up to the length returned in lists (`truncateTexts`). */
export type TextLength = 'full' | 'brief';

/** How a resource type's rows are presented, and who can read these rows. */
export interface ResourceView<Row> {
  readonly resource: ResourceDescription;
  readonly access: AccessRule;
  readonly toResource: (row: Row, publicUrl: string, fields: Fields) => object;
}

/** A resource type with an `{id}` in its paths. */
export interface AddressableType {
  /** Whether a string is a well-formed id. Malformed ids are never looked up. */
  readonly isId: (text: string) => boolean;
  /** The `detail` of the 404 error. */
  readonly notFoundDetail: string;
}

/** A resource type whose rows can be looked up by id: from a path, or from the relationships of other resources. */
export interface ResourceType<Row> extends ResourceView<Row>, AddressableType {
  /** The tenant's rows with these ids, in any order. Unknown ids are skipped. */
  readonly findByIds: (
    client: Queryable,
    tenantId: string,
    ids: readonly string[],
    fields?: Fields,
    textLength?: TextLength,
  ) => Promise<readonly Row[]>;
}

/**
 * Finds the tenant's row with this id. Throws the same 404 error whether the id is malformed, does not exist or belongs
 * to another tenant.
 */
export async function findExisting<Row>(
  resourceType: Pick<ResourceType<Row>, 'isId' | 'findByIds' | 'notFoundDetail'>,
  client: Queryable,
  tenantId: string,
  id: string | undefined,
  fields?: Fields,
): Promise<Row> {
  const [row] =
    id !== undefined && resourceType.isId(id)
      ? await resourceType.findByIds(client, tenantId, [id], fields)
      : [];
  if (row === undefined) throw resourceNotFound(resourceType);
  return row;
}

/** Returns the 404 error for this resource type. */
export function resourceNotFound({ notFoundDetail }: Pick<AddressableType, 'notFoundDetail'>): ApiError {
  return notFound(notFoundDetail);
}
