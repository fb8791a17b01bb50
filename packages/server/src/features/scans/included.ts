import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { type IngestionRow, listIngestions } from '../ingestions/repository.ts';
import { INGESTIONS, ingestionResource } from '../ingestions/resource.ts';
import { findProvidersByIds } from '../providers/repository.ts';
import { PROVIDERS, providerResource } from '../providers/resource.ts';
import type { ScanRow } from './repository.ts';

/** What `include` can bring along with scans. */
export const INCLUDES = ['provider', 'ingestion'] as const;

/** The related resources that the query includes, each once; `undefined`: it includes nothing. */
export async function includedOf(
  client: Queryable,
  tenantId: string,
  rows: readonly ScanRow[],
  query: Query,
  publicUrl: string,
): Promise<readonly unknown[] | undefined> {
  const { include, fields } = query;
  if (include.size === 0) return undefined;
  const included: unknown[] = [];
  if (include.has('provider')) {
    const ids = new Set(rows.map((row) => row.provider_id));
    const wanted = fields.get(PROVIDERS);
    const found = await findProvidersByIds(client, tenantId, [...ids], wanted);
    included.push(...found.map((row) => providerResource(row, publicUrl, wanted)));
  }
  if (include.has('ingestion')) {
    const ids = new Set(rows.map((row) => row.ingestion_id));
    const found = await findIngestionsByIds(client, tenantId, [...ids], query);
    included.push(...found.map((row) => ingestionResource(row, publicUrl, fields.get(INGESTIONS))));
  }
  return included;
}

async function findIngestionsByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
  query: Query,
): Promise<readonly IngestionRow[]> {
  const isOne = { sql: (bind: (value: unknown) => string) => `id = any(${bind(ids)}::uuid[])` };
  const page = await listIngestions(client, tenantId, {
    ...query,
    conditions: [isOne],
    sort: [],
    page: { number: 1, size: ids.length },
  });
  return page.rows;
}
