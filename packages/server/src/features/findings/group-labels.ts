import type { Queryable } from '../../db/transaction.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';
import { checkKey } from '../../resources/check-key.ts';
import { storedSeverity } from '../../resources/stored-severity.ts';
import type { Grouping, GroupRow } from './group-resource.ts';

export interface GroupLabel {
  readonly id: string;
  readonly name: string | null;
  /** The attributes that depend on `by`. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The filters that select the findings of the group. */
  readonly filters: Readonly<Record<string, string>>;
}

/** Reads the labels of the groups of a page. */
export async function labelGroups(
  client: Queryable,
  tenantId: string,
  by: Grouping,
  rows: readonly GroupRow[],
): Promise<(row: GroupRow) => GroupLabel> {
  const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]));
  if (by === 'check') return await labelChecks(client, tenantId, keys);
  if (by === 'resource') return await labelResources(client, tenantId, keys);
  if (by === 'account') return await labelAccounts(client, tenantId, keys);
  return ({ key }) => ({
    id: `${by}:${key ?? ''}`,
    name: key,
    attributes: {},
    filters: { [`filter[${by}]`]: key ?? '' },
  });
}

interface CheckRow {
  readonly key: string;
  readonly provider_type: string;
  readonly check_id: string;
  readonly title: string | null;
}

async function labelChecks(client: Queryable, tenantId: string, keys: readonly string[]) {
  const { rows } = await client.query<CheckRow>(
    `select key, provider_type, check_id, ${briefText('title')} as title from checks where tenant_id = $1 and key = any($2::bigint[])`,
    [tenantId, keys],
  );
  const checks = new Map(rows.map((row) => [row.key, row]));
  return ({ key, severity }: GroupRow): GroupLabel => {
    const check = labelOf(checks, key);
    const { provider_type, check_id, title } = check;
    const id = checkKey(check);
    return {
      id,
      name: title ?? check_id,
      attributes: { check: { id, check_id, provider_type, title, severity: storedSeverity(severity) } },
      filters: { 'filter[provider_type]': provider_type, 'filter[check_id]': check_id },
    };
  };
}

interface ResourceRow {
  readonly key: string;
  readonly id: string;
  readonly uid: string;
  readonly name: string | null;
  readonly type: string | null;
}

async function labelResources(client: Queryable, tenantId: string, keys: readonly string[]) {
  const { rows } = await client.query<ResourceRow>(
    `select key, id, ${['uid', 'name', 'type'].map((name) => `${briefText(name)} as ${name}`).join(', ')} from resources
     where tenant_id = $1 and key = any($2::bigint[])`,
    [tenantId, keys],
  );
  const resources = new Map(rows.map((row) => [row.key, row]));
  return ({ key }: GroupRow): GroupLabel => {
    if (key === null)
      return {
        id: 'resource:',
        name: null,
        attributes: { resource: null },
        filters: { 'filter[resource_uid]': '' },
      };
    const { key: _key, ...resource } = labelOf(resources, key);
    return {
      id: resource.id,
      name: resource.name ?? resource.uid,
      attributes: { resource },
      filters: { 'filter[resource]': resource.id },
    };
  };
}

interface AccountRow {
  readonly id: string;
  readonly provider_type: string;
  readonly account: string;
  readonly alias: string | null;
}

async function labelAccounts(client: Queryable, tenantId: string, ids: readonly string[]) {
  const { rows } = await client.query<AccountRow>(
    'select id, type as provider_type, account, alias from providers where tenant_id = $1 and id = any($2::uuid[])',
    [tenantId, ids],
  );
  const accounts = new Map(rows.map((row) => [row.id, row]));
  return ({ key }: GroupRow): GroupLabel => {
    const account = labelOf(accounts, key);
    return {
      id: account.id,
      name: account.alias ?? account.account,
      attributes: { account },
      filters: { 'filter[provider]': account.id },
    };
  };
}

function labelOf<Row>(rows: ReadonlyMap<string, Row>, key: string | null): Row {
  const row = key === null ? undefined : rows.get(key);
  if (row === undefined) throw new Error(`the group ${key} has no row`);
  return row;
}
