import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findRolesByIds, type RoleRow } from './repository.ts';
import { roleResource, roles } from './resource.ts';

/** Roles. Requires `manage_users`. */
export const roleResourceType: ResourceType<RoleRow> = {
  resource: roles,
  access: { permissions: ['manage_users'] },
  isId: isUuid,
  findByIds: findRolesByIds,
  toResource: roleResource,
  notFoundDetail: 'No role has this ID.',
};
