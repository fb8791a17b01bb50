import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { includeRelated } from '../../http/endpoints/includes.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { dateFilters, equalityFilters, type Filters, searchFilter } from '../../jsonapi/filters.ts';
import { ingestionResourceType } from '../../resources/ingestions.ts';
import { labelFilter } from '../../resources/labels.ts';
import { accountFilters, providerType } from '../../resources/provider-filters.ts';
import { providerResourceType } from '../../resources/providers.ts';
import { FILE_NAME, LABELS, listScans, type ScanRow, scanResourceType } from '../../resources/scans.ts';

const filters: Filters = {
  ...equalityFilters('ingestion', 's.ingestion_id', z.uuid(), 'uuid'),
  ...equalityFilters('provider', 's.provider_id', z.uuid(), 'uuid'),
  ...equalityFilters('provider_type', 'p.type', providerType, 'text'),
  ...accountFilters('p.account'),
  ...equalityFilters('uid', 's.uid', z.string(), 'text'),
  ...dateFilters('inserted_at', 's.inserted_at'),
  label: labelFilter('scans', LABELS),
  search: searchFilter(
    'Returns scans whose uid, account or file name contains this text. Case-insensitive.',
    ['s.uid', 'p.account', FILE_NAME],
  ),
};

const includes = {
  provider: includeRelated(providerResourceType, ({ provider_id }: ScanRow) => [provider_id]),
  ingestion: includeRelated(ingestionResourceType, ({ ingestion_id }: ScanRow) => [ingestion_id]),
};

/** The scan endpoints. */
export function scanEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const common = { resourceType: scanResourceType, tag: 'Scans', includes } as const;
  const list = listEndpoint(dependencies, {
    ...common,
    operationId: 'listScans',
    summary: 'List scans',
    responseDescription: 'A page of scans.',
    filters,
    sorts: {
      inserted_at: { sql: 's.inserted_at', type: 'timestamptz' },
      records: { sql: 's.records', type: 'bigint' },
      failed: { sql: 's.failed', type: 'bigint' },
    },
    defaultSort: '-inserted_at',
    select: listScans,
  });
  const get = getEndpoint(dependencies, {
    ...common,
    operationId: 'getScan',
    summary: 'Get a scan',
    responseDescription: 'The scan.',
  });
  return [list, get];
}
