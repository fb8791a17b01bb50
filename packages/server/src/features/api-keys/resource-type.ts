import type { ResourceType } from '../../api/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { type ApiKeyRow, findApiKeysByIds } from './repository.ts';
import { apiKeyResource, apiKeys } from './resource.ts';

/** API keys, for who may manage the account. */
export const apiKeyResourceType: ResourceType<ApiKeyRow> = {
  resource: apiKeys,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findApiKeysByIds,
  toResource: apiKeyResource,
  notFoundDetail: 'There is no API key with this id',
};
