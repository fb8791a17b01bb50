import type { ResourceKind } from '../../api/resource-kind.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findRolesByIds, type RoleRow } from './repository.ts';
import { roleResource, roles } from './resource.ts';

/** Roles, for who may manage users. */
export const roleKind: ResourceKind<RoleRow> = {
  resource: roles,
  access: { permissions: ['manage_users'] },
  isId: isUuid,
  findByIds: findRolesByIds,
  toResource: roleResource,
  missing: 'There is no role with this id',
};
