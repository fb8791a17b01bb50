import type { Queryable } from '../../db/transaction.ts';
import type { Query } from '../../jsonapi/query.ts';
import { findChecksByIds } from '../checks/repository.ts';
import { checkResource, checks } from '../checks/resource.ts';
import { findProvidersByIds } from '../providers/repository.ts';
import { providerResource, providers } from '../providers/resource.ts';
import { findScansByIds } from '../scans/repository.ts';
import { scanResource, scans } from '../scans/resource.ts';
import type { FindingRow } from './repository.ts';
import { relatedIds } from './resource.ts';

/** What `include` takes on findings. */
export const FINDING_INCLUDES = ['provider', 'check', 'scan'] as const;

/** The kinds of resources that come along. */
export const includedResources = () => [providers, checks, scans];

/** Related resources of these findings that the query includes, each once; `undefined` where it includes none. */
export async function includedOf(
  client: Queryable,
  tenantId: string,
  rows: readonly FindingRow[],
  { include, fields }: Query,
  publicUrl: string,
): Promise<readonly unknown[] | undefined> {
  if (include.size === 0) return undefined;
  const ids = (name: (typeof FINDING_INCLUDES)[number]) =>
    include.has(name) ? [...new Set(rows.map((row) => relatedIds(row)[name]))] : [];
  const [providerIds, checkIds, scanIds] = [ids('provider'), ids('check'), ids('scan')];
  const providerRows =
    providerIds.length > 0
      ? await findProvidersByIds(client, tenantId, providerIds, fields.get(providers.type))
      : [];
  const checkRows =
    checkIds.length > 0 ? await findChecksByIds(client, tenantId, checkIds, fields.get(checks.type)) : [];
  const scanRows = scanIds.length > 0 ? await findScansByIds(client, tenantId, scanIds) : [];
  return [
    ...providerRows.map((row) => providerResource(row, publicUrl, fields.get(providers.type))),
    ...checkRows.map((row) => checkResource(row, publicUrl, fields.get(checks.type))),
    ...scanRows.map((row) => scanResource(row, publicUrl, fields.get(scans.type))),
  ];
}
