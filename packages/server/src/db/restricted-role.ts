import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { APP_ROLE, SCHEMA } from './connect.ts';

/** What the login role and the restricted role can do. */
export interface RoleState {
  /** Whether row level security does not bind the login role. */
  readonly bypasses: boolean;
  readonly canLogIn: boolean;
  /** Whether the login role may take it on, and it has all privileges on the tables. */
  readonly isReady: boolean;
}

/**
 * Reads it without taking a lock. Forced row level security binds the tables' owner, but no superuser. Where the login
 * role could bypass it, sessions take on a role that cannot; an ordinary login role is used as it is.
 */
export async function readRoleState(client: pg.Client): Promise<RoleState> {
  const { rows } = await client.query<RoleState>(
    `select login.rolsuper or login.rolbypassrls as bypasses, coalesce(app.rolcanlogin, false) as "canLogIn",
       coalesce(pg_has_role(login.oid, app.oid,
           case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end)
         and has_schema_privilege(app.oid, to_regnamespace('${SCHEMA}')::oid, 'usage')
         and not exists (
           select from pg_class c cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
           where c.relnamespace = to_regnamespace('${SCHEMA}') and c.relkind in ('r', 'p')
             and not has_table_privilege(app.oid, c.oid, privilege)), false) as "isReady"
     from pg_roles login left join pg_roles app on app.rolname = '${APP_ROLE}'
     where login.rolname = current_user`,
  );
  const [state] = rows;
  if (state === undefined) throw new Error('the login role is not in pg_roles');
  return state;
}

/** Creates the restricted role where it is missing, and gives it all that the service needs. */
export async function prepareRole(client: pg.Client): Promise<void> {
  // Roles belong to the whole server: another database's start may create it at the same time.
  await client.query(
    `do $$ begin
       if not exists (select from pg_roles where rolname = '${APP_ROLE}') then
         create role ${APP_ROLE} nologin nosuperuser nobypassrls;
       end if;
     exception when duplicate_object or unique_violation then null;
     end $$`,
  );
  await client.query(`grant ${APP_ROLE} to current_user`);
  await client.query(`grant usage on schema ${SCHEMA} to ${APP_ROLE}`);
  await client.query(`grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${APP_ROLE}`);
}

/** Gives the restricted role a login with the password of `sessionUrl`. */
export async function letLogIn(client: pg.Client, url: string): Promise<void> {
  const password = client.escapeLiteral(sessionPassword(new URL(url)));
  await client.query(`alter role ${APP_ROLE} login password ${password}`);
}

/**
 * The URL with which the restricted role logs in by itself. A session that a superuser has opened could go back to its
 * first role (SET ROLE); one that this role has opened has none to go back to.
 */
export function sessionUrl(url: string): string {
  const own = new URL(url);
  own.password = sessionPassword(own);
  own.username = APP_ROLE;
  return own.href;
}

/** Follows from the superuser's password and reveals nothing of it. */
function sessionPassword({ password }: URL): string {
  return createHmac('sha256', decodeURIComponent(password)).update(APP_ROLE).digest('base64url');
}
