import type { Queryable } from '../db/transaction.ts';

/** Inserts a user without roles. Returns `false` if the tenant already has a user with this email (case-insensitive). */
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
