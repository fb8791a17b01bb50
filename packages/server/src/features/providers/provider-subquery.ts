/**
 * SQL of a lateral subquery for the provider of a row: `type`, `account` and `deleted_at`. A subquery that is evaluated for
 * each row always uses the complete primary key. A plain join does not if the statistics are older than the tenant's
 * providers: PostgreSQL then expects one provider for the tenant, and reads all of them for each row.
 */
export function providerSubquery(row: string, tenant = `${row}.tenant_id`): string {
  return `lateral (select type, account, deleted_at from providers
    where providers.tenant_id = ${tenant} and providers.id = ${row}.provider_id offset 0)`;
}
