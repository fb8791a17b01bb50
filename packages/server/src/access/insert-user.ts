import type { Queryable } from '../db/transaction.ts';

/** Adds a user without roles; `false` where the tenant has one with this address, in whatever case. */
export async function insertUser(
  client: Queryable,
  tenantId: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'insert into users (tenant_id, id, email) values ($1, $2, $3) on conflict (tenant_id, lower(email)) do nothing',
    [tenantId, id, email],
  );
  return rowCount === 1;
}
