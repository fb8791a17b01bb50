/**
 * SQL for the provider of a row, to be joined with: `type`, `account` and `deleted_at`. A subquery that is evaluated for each row
 * always uses the whole primary key. A plain join does not where statistics are older than the tenant's providers: PostgreSQL
 * expects one row for the tenant then, and reads all of its providers for each row.
 */
export function providerSubquery(row: string, tenant = `${row}.tenant_id`): string {
  return `lateral (select type, account, deleted_at from providers
    where providers.tenant_id = ${tenant} and providers.id = ${row}.provider_id offset 0)`;
}
