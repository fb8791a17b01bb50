import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import type { Permission } from './permissions.ts';

/** Replaces the user's roles. */
export async function setRoles(
  client: Queryable,
  tenantId: string,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  await client.query(
    'delete from user_roles where tenant_id = $1 and user_id = $2 and role_id <> all($3::uuid[])',
    [tenantId, userId, roleIds],
  );
  await client.query(
    `insert into user_roles (tenant_id, user_id, role_id) select $1, $2, unnest($3::uuid[])
     on conflict do nothing`,
    [tenantId, userId, roleIds],
  );
}

/**
 * Replaces the user's roles with a single role that has exactly these permissions and is not assigned to any other
 * user.
 */
export async function grantExactly(
  client: Queryable,
  tenantId: string,
  user: { readonly id: string; readonly email: string },
  permissions: readonly Permission[],
): Promise<void> {
  // Use the first candidate name that is unused or belongs to a role without other users.
  const { rows } = await client.query<{ id: string }>(
    `with candidate as (
       select $4 || case n when 1 then '' else ' (' || n || ')' end as name, n
       from generate_series(1, (select count(*) + 1 from roles where tenant_id = $1)) as n
     ), chosen as (
       select name from candidate c
       where not exists (
         select from roles r join user_roles ur on ur.tenant_id = r.tenant_id and ur.role_id = r.id
         where r.tenant_id = $1 and r.name = c.name and ur.user_id <> $5
       )
       order by n limit 1
     )
     insert into roles (tenant_id, id, name, permissions) select $1, $2, name, $3 from chosen
     on conflict (tenant_id, name) do update set permissions = excluded.permissions
     returning id`,
    [tenantId, uuidv7(), permissions, `Permissions of ${user.email}`, user.id],
  );
  const roleIds = rows.map(({ id }) => id);
  await setRoles(client, tenantId, user.id, roleIds);
}
