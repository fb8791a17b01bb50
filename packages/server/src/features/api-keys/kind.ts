import type { ResourceKind } from '../../api/resource-kind.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { type ApiKeyRow, findApiKeysByIds } from './repository.ts';
import { apiKeyResource, apiKeys } from './resource.ts';

/** API keys, for who may manage the account. */
export const apiKeyKind: ResourceKind<ApiKeyRow> = {
  resource: apiKeys,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findApiKeysByIds,
  toResource: apiKeyResource,
  missing: 'There is no API key with this id',
};
