import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { findUsersByIds } from './repository.ts';
import { USERS, userResource } from './resource.ts';

/** The users that `include=user` brings along, each once; `undefined` where the request did not ask for them. */
export async function includedUsers(
  client: Queryable,
  tenantId: string,
  query: Query,
  publicUrl: string,
  ids: readonly string[],
) {
  if (!query.include.has('user')) return undefined;
  const rows = await findUsersByIds(client, tenantId, [...new Set(ids)]);
  return rows.map((row) => userResource(row, publicUrl, query.fields.get(USERS)));
}
