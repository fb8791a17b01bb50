import { includeRelated } from '../../http/endpoints/includes.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { roleResourceType } from '../roles/resource-type.ts';
import { findUsersByIds, type UserRow } from './repository.ts';
import { userResource, users } from './resource.ts';

/** Users. Requires `manage_users`. */
export const userResourceType: ResourceType<UserRow> = {
  resource: users,
  access: { permissions: ['manage_users'] },
  isId: isUuid,
  findByIds: findUsersByIds,
  toResource: userResource,
  notFoundDetail: 'No user has this ID.',
};

/** The values that `include` supports for users. */
export const USER_INCLUDES = { roles: includeRelated(roleResourceType, ({ role_ids }: UserRow) => role_ids) };
