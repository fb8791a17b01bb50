import { includeOf } from '../../api/includes.ts';
import type { ResourceKind } from '../../api/resource-kind.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { roleKind } from '../roles/kind.ts';
import { findUsersByIds, type UserRow } from './repository.ts';
import { userResource, users } from './resource.ts';

/** Users, for who may manage them. */
export const userKind: ResourceKind<UserRow> = {
  resource: users,
  access: { permissions: ['manage_users'] },
  isId: isUuid,
  findByIds: findUsersByIds,
  toResource: userResource,
  missing: 'There is no user with this id',
};

/** What `include` takes on users. */
export const USER_INCLUDES = { roles: includeOf(roleKind, ({ role_ids }: UserRow) => role_ids) };
