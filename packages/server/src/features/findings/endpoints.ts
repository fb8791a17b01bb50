import { READ_FINDINGS } from '../../auth/permissions.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import {
  includedResources,
  includeRelated,
  loadIncludedForOne,
  resourceQuery,
} from '../../http/endpoints/includes.ts';
import { listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { resourceNotFound } from '../../http/endpoints/resource-type.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { checkResourceType } from '../../resources/checks.ts';
import { providerResourceType } from '../../resources/providers.ts';
import { resourceResourceType } from '../../resources/resources.ts';
import { scanResourceType } from '../../resources/scans.ts';
import { exportEndpoint } from './export-endpoint.ts';
import { findingFilters } from './filters.ts';
import { findRecordLocation, findWithRecord, readRecord } from './finding-record.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { groupEndpoint } from './group-endpoint.ts';
import { historyEndpoint } from './history-endpoint.ts';
import { type FindingRow, findFinding, listFindings } from './repository.ts';
import { FINDING, FINDINGS, findingResource, findings, findingWithRecord, relatedIds } from './resource.ts';
import { FINDING_SUMMARIES, findingSummaries, findingSummaryResource, summarizeFindings } from './summary.ts';

/** The values that `include` supports for findings. */
const FINDING_INCLUDES = {
  provider: includeRelated(providerResourceType, (row: FindingRow) => [relatedIds(row).provider]),
  check: includeRelated(checkResourceType, (row: FindingRow) => [relatedIds(row).check]),
  scan: includeRelated(scanResourceType, (row: FindingRow) => [relatedIds(row).scan]),
  resource: includeRelated(resourceResourceType, ({ resource_id }: FindingRow) =>
    resource_id === null ? [] : [resource_id],
  ),
};

const access = READ_FINDINGS;

const SORT_DESCRIPTION =
  'Severities are sorted by OCSF `severity_id`: `unknown`, `informational`, `low`, `medium`, `high`, `critical`, `fatal`, and finally `other`, which may be more severe than any of them. Statuses are sorted as PASS, FAIL, MANUAL. Accounts are sorted by their ID. Resources are sorted by name, or by uid if they have no name; findings without a resource come last in both directions.';

const CURSOR_DESCRIPTION =
  'To read a large number of findings, start with an empty `page[after]` and follow `links.next`; later pages are as fast as the first. If you sort by `id`, `check_id` or `account`, which never change, each finding is returned exactly once, even while uploads are processed. With any other sort order, a finding that changes in the meantime may be skipped or returned twice.';

/** The finding endpoints: the list, a single finding with its record, and counts. */
export function findingEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { blobs, publicUrl } = dependencies;
  const list = listEndpoint(dependencies, {
    resourceType: { resource: findings, access, toResource: findingResource },
    tag: 'Findings',
    includes: FINDING_INCLUDES,
    operationId: 'listFindings',
    summary: 'List findings',
    description: `${SORT_DESCRIPTION} ${CURSOR_DESCRIPTION}`,
    responseDescription: 'A page of findings.',
    filters: findingFilters,
    sorts: FINDING_SORTS,
    defaultSort: '-severity',
    cursors: true,
    positions: true,
    select: listFindings,
  });

  const summary: Endpoint = {
    method: 'GET',
    path: '/findings/summary',
    operationId: 'summarizeFindings',
    tag: 'Findings',
    summary: 'Count findings',
    description:
      'Returns the number of findings by status, severity, delta, provider, service, region, resource type and category. Supports the same filters as the findings list.',
    access,
    query: { fields: { [FINDING_SUMMARIES]: findingSummaries.attributes }, filters: findingFilters },
    responses: { 200: { description: 'The counts.', schema: documentOf(findingSummaries) } },
    handle: async ({ access: { tenantId }, query, read }) => {
      const rows = await read((client) => summarizeFindings(client, tenantId, query));
      const data = findingSummaryResource(rows, query.fields.get(FINDING_SUMMARIES));
      return { status: 200, document: { data } };
    },
  };

  const get: Endpoint = {
    method: 'GET',
    path: '/findings/{id}',
    resourceType: FINDING,
    operationId: 'getFinding',
    tag: 'Findings',
    summary: 'Get a finding',
    description: 'The response includes the OCSF record in the attribute `raw`.',
    access,
    ...resourceQuery(findingWithRecord, FINDING_INCLUDES),
    responses: {
      200: {
        description: 'The finding with its record.',
        schema: documentOf(findingWithRecord, { included: includedResources(FINDING_INCLUDES) }),
      },
    },
    errors: [410],
    handle: async ({ access: { tenantId }, params: { id }, query, read }) => {
      const fields = query.fields.get(FINDINGS);
      const find = () =>
        read(async (client) => {
          const row = await findFinding(client, tenantId, id ?? '');
          if (row === undefined) throw resourceNotFound(FINDING);
          const withRecord = fields === undefined || fields.has('raw');
          const location = withRecord ? await findRecordLocation(client, tenantId, row.id) : undefined;
          const context = { client, tenantId, query, publicUrl: publicUrl() };
          return { row, location, related: await loadIncludedForOne(FINDING_INCLUDES, context, row) };
        });
      const { row, related, record } = await findWithRecord(find, ({ location }) =>
        location === undefined ? undefined : readRecord(blobs, tenantId, location),
      );
      const data = findingResource(row, publicUrl(), fields, record);
      return { status: 200, document: { data, ...related } };
    },
  };
  return [
    list,
    summary,
    groupEndpoint(dependencies),
    exportEndpoint(dependencies),
    get,
    historyEndpoint(dependencies),
  ];
}
