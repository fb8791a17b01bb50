import { READS_FINDINGS } from '../../access/rules.ts';
import type { ResourceKind } from '../../api/resource-kind.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findProvidersByIds, type ProviderRow } from './repository.ts';
import { providerResource, providers } from './resource.ts';

/** Live providers, for keys that may read findings. */
export const providerKind: ResourceKind<ProviderRow> = {
  resource: providers,
  access: READS_FINDINGS,
  isId: isUuid,
  findByIds: findProvidersByIds,
  toResource: providerResource,
  missing: 'There is no provider with this id',
};
