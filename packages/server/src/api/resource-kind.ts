import type { Queryable } from '../db/transaction.ts';
import { type ApiError, notFound } from '../jsonapi/errors.ts';
import type { ResourceDescription } from '../jsonapi/schemas.ts';
import type { AccessRule } from '../plugins/access.ts';

/** The attributes that a request asks for; `undefined`: all of them. */
export type Fields = ReadonlySet<string> | undefined;

/** Whether long texts are read whole, or only as far as lists show them (`boundTexts`). */
export type Texts = 'whole' | 'brief';

/** How the rows of one kind of resource are shown, and to whom. */
export interface ShownKind<Row> {
  readonly resource: ResourceDescription;
  readonly access: AccessRule;
  /** A row as a resource object. */
  readonly toResource: (row: Row, publicUrl: string, fields: Fields) => object;
}

/** A kind of resource that a path can name by its id. */
export interface NamedKind {
  /** Whether a text can be an id at all; only those are looked up. */
  readonly isId: (text: string) => boolean;
  /** The sentence of its 404. */
  readonly missing: string;
}

/** A kind of resource that is also found by ids: by one in an address, or by those that other resources name. */
export interface ResourceKind<Row> extends ShownKind<Row>, NamedKind {
  /** The tenant's rows of these ids that there are, in any order. */
  readonly findByIds: (
    client: Queryable,
    tenantId: string,
    ids: readonly string[],
    fields?: Fields,
    texts?: Texts,
  ) => Promise<readonly Row[]>;
}

/** The tenant's row of this id; throws the same 404 for an id that is wrong, unknown or another tenant's. */
export async function findExisting<Row>(
  kind: Pick<ResourceKind<Row>, 'isId' | 'findByIds' | 'missing'>,
  client: Queryable,
  tenantId: string,
  id: string | undefined,
  fields?: Fields,
): Promise<Row> {
  const [row] = id !== undefined && kind.isId(id) ? await kind.findByIds(client, tenantId, [id], fields) : [];
  if (row === undefined) throw noneFound(kind);
  return row;
}

/** The 404 of this kind. */
export function noneFound({ missing }: NamedKind): ApiError {
  return notFound(missing);
}
