import { READ_FINDINGS } from '../../access/rules.ts';
import type { ResourceType } from '../../api/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findProvidersByIds, type ProviderRow } from './repository.ts';
import { providerResource, providers } from './resource.ts';

/** Live providers, for keys that may read findings. */
export const providerResourceType: ResourceType<ProviderRow> = {
  resource: providers,
  access: READ_FINDINGS,
  isId: isUuid,
  findByIds: findProvidersByIds,
  toResource: providerResource,
  notFoundDetail: 'There is no provider with this id',
};
