import { READ_FINDINGS } from '../../auth/access-rule.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findProvidersByIds, type ProviderRow } from './repository.ts';
import { providerResource, providers } from './resource.ts';

/** Live providers. Requires `read_findings`. */
export const providerResourceType: ResourceType<ProviderRow> = {
  resource: providers,
  access: READ_FINDINGS,
  isId: isUuid,
  findByIds: findProvidersByIds,
  toResource: providerResource,
  notFoundDetail: 'No provider has this ID.',
};
