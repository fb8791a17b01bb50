/**
 * SQL for a lateral subquery that returns `type`, `account` and `deleted_at` of a row's provider. A subquery that is
 * evaluated for each row always uses the complete primary key. A plain join may not: if the statistics are older than
 * the tenant's providers, PostgreSQL expects the tenant to have one provider, and reads all of the tenant's providers
 * for each row.
 */
export function providerSubquery(row: string, tenant = `${row}.tenant_id`): string {
  return `lateral (select type, account, deleted_at from providers
    where providers.tenant_id = ${tenant} and providers.id = ${row}.provider_id offset 0)`;
}
