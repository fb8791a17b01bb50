import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { type ApiKeyRow, findApiKeysByIds } from './repository.ts';
import { apiKeyResource, apiKeys } from './resource.ts';

/** API keys. Requires `manage_account`. */
export const apiKeyResourceType: ResourceType<ApiKeyRow> = {
  resource: apiKeys,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findApiKeysByIds,
  toResource: apiKeyResource,
  notFoundDetail: 'No API key has this ID.',
};
