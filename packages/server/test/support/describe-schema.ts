import type { Row } from './administration.ts';
import type { TenantService } from './service.ts';

type Sql = TenantService['sql'];

/** Describes everything that migrations create as SQL-like text in a stable order, for reading and comparing. */
export async function describeSchema(sql: Sql): Promise<string> {
  const parts = [
    await linesOf(sql, ENUMS),
    await linesOf(sql, TABLES),
    await linesOf(sql, ROUTINES),
    await linesOf(sql, OTHER_OBJECTS),
  ];
  return `${HEAD}\n${parts.flat().join('\n\n')}\n`;
}

const HEAD = `-- The schema after all migrations, for review. packages/server/test/db/schema.test.ts compares it with the real schema;
-- run the test with UPDATE_SCHEMA=1 to update it. It is never executed.
`;

const ENUMS = `
  select format('create type %I as enum (%s);', t.typname,
    (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
     from pg_enum e where e.enumtypid = t.oid)) as line
  from pg_type t
  where t.typnamespace = 'sluice'::regnamespace and t.typtype = 'e'
  order by t.typname`;

/** Returns one string per table, including its columns, constraints, indexes, triggers and policies. */
const TABLES = `
  select concat_ws(E'\\n',
    format('create table %I (', c.relname),
    (select string_agg('  ' || line, E',\\n' order by place, line) from (
       select a.attnum::int as place, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
         case when a.attnotnull then 'not null' end,
         case when a.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
           when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as line
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       union all
       select 10000, format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
       from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
     ) as lines),
    ');',
    (select string_agg(pg_get_indexdef(i.indexrelid) || ';', E'\\n' order by i.indexrelid::regclass::text)
     from pg_index i where i.indrelid = c.oid
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)),
    case when c.relrowsecurity then format('alter table %I enable row level security;', c.relname) end,
    case when c.relforcerowsecurity then format('alter table %I force row level security;', c.relname) end,
    (select string_agg(format('create policy %I on %I as %s for %s to %s%s%s;', p.policyname, p.tablename,
       lower(p.permissive), lower(p.cmd), array_to_string(p.roles, ', '),
       ' using (' || p.qual || ')', ' with check (' || p.with_check || ')'), E'\\n' order by p.policyname)
     from pg_policies p where p.schemaname = 'sluice' and p.tablename = c.relname),
    (select string_agg(pg_get_triggerdef(t.oid) || ';', E'\\n' order by t.tgname)
     from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
  ) as line
  from pg_class c
  where c.relnamespace = 'sluice'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`;

const ROUTINES = `
  select rtrim(pg_get_functiondef(p.oid), E' \\n') || ';' as line
  from pg_proc p
  where p.pronamespace = 'sluice'::regnamespace and p.prokind in ('f', 'p')
  order by p.proname, p.oid::regprocedure::text`;

/** Lists views, sequences and similar objects by name only. */
const OTHER_OBJECTS = `
  select format('-- not described: %s of kind %s', c.relname, c.relkind) as line
  from pg_class c
  where c.relnamespace = 'sluice'::regnamespace and c.relkind not in ('r', 'p', 'i', 'I', 't')
  order by c.relname`;

async function linesOf(sql: Sql, query: string): Promise<string[]> {
  const rows = await sql<Row & { line: string }>(query);
  return rows.map(({ line }) => line);
}
