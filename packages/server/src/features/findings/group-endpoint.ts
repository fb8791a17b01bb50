import { READ_FINDINGS } from '../../auth/permissions.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { findingFilters } from './filters.ts';
import { findingGroupResource, findingGroups, GROUP_BY } from './group-resource.ts';
import { GROUP_SORTS } from './group-statement.ts';
import { listGroups } from './groups.ts';

/** `GET /findings/groups` */
export function groupEndpoint(dependencies: ApiDependencies): Endpoint {
  return listEndpoint(dependencies, {
    path: '/findings/groups',
    resourceType: { resource: findingGroups, access: READ_FINDINGS, toResource: findingGroupResource },
    tag: 'Findings',
    operationId: 'groupFindings',
    summary: 'Group findings',
    description:
      'Returns the number of findings by check, resource, account, service or region. Supports the same filters as the findings list. Ties are broken by the number of failing findings, and then by the numbers of failing fatal, critical and high findings. For faster responses, exclude `resources` and `oldest_failing_at` with `fields[finding-groups]`.',
    responseDescription: 'A page of groups.',
    options: { by: { description: 'The property by which the findings are grouped.', values: GROUP_BY } },
    filters: findingFilters,
    sorts: GROUP_SORTS,
    defaultSort: '-failing',
    select: listGroups,
  });
}
