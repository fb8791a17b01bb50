import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { APP_ROLE, SCHEMA } from './connect.ts';

/** The privileges of the login role and of the restricted role. */
export interface RoleState {
  /** Whether the login role bypasses row level security. */
  readonly bypasses: boolean;
  readonly canLogIn: boolean;
  /**
   * Whether the login role can switch to the restricted role, and the restricted role has all privileges on the tables.
   */
  readonly isReady: boolean;
}

/**
 * Reads the state without taking a lock. Forced row level security applies to the owner of the tables, but not to a
 * superuser: if the login role bypasses it, sessions switch to a role that cannot.
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

/** Creates the restricted role if it is missing, and grants it the privileges that the service needs. */
export async function prepareRole(client: pg.Client): Promise<void> {
  // Roles are cluster-wide, so a process that uses another database may create the role at the same time.
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

/**
 * Prepares the restricted role for the nodes of a Citus cluster, which the coordinator connects to as the role of its
 * session. Citus passes the statements on to the nodes.
 */
export async function prepareNodeRole(client: pg.Client): Promise<void> {
  await client.query(`alter role ${APP_ROLE} login`);
  const database = client.escapeIdentifier(client.database ?? '');
  // Functions on nodes use tables and other functions without a schema, and timestamps have no time zone of their own.
  await client.query(`alter role ${APP_ROLE} in database ${database} set search_path to ${SCHEMA}`);
  await client.query(`alter role ${APP_ROLE} in database ${database} set timezone to 'UTC'`);
}

/** Allows the restricted role to log in with the password of `sessionUrl`. */
export async function enableLogin(client: pg.Client, url: string): Promise<void> {
  const password = client.escapeLiteral(sessionPassword(new URL(url)));
  await client.query(`alter role ${APP_ROLE} login password ${password}`);
}

/**
 * The connection string of the restricted role. A superuser session could switch back to its login role (`RESET ROLE`);
 * a session of the restricted role cannot.
 */
export function sessionUrl(url: string): string {
  const session = new URL(url);
  session.password = sessionPassword(session);
  session.username = APP_ROLE;
  return session.href;
}

/** Derived from the superuser's password, without revealing it. */
function sessionPassword({ password }: URL): string {
  return createHmac('sha256', decodeURIComponent(password)).update(APP_ROLE).digest('base64url');
}
