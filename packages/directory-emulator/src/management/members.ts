import type { Group, Member, Role } from '../organization/organization.ts';
import { notFound } from './api-error.ts';
import { list, named, type Reading } from './endpoint.ts';

export const memberEndpoints = [
  list('/api/v1/users/:id/roles', 'roles', rolesOfUser),
  list('/api/v1/users/:id/groups', { directory: 'groups', okta: 'users' }, groupsOfUser, showGroup),
  list('/api/v1/groups/:id/roles', 'roles', (reading) => {
    const group = named(reading.organization.groups, reading);
    if (group === undefined) throw notFound(`${reading.id} (UserGroup)`);
    return group.roles;
  }),
];

function theUser(reading: Reading): Member {
  const user = named(reading.organization.users, reading);
  if (user === undefined) throw notFound(`${reading.id} (User)`);
  return user;
}

/**
 * Okta lists the roles that the user inherits from groups as well, each with its `assignmentType`; the dialect `directory`
 * lists the user's own roles and does not say how they are assigned.
 */
function rolesOfUser(reading: Reading): readonly Role[] {
  const { roles } = theUser(reading);
  if (reading.dialect === 'directory') return roles.map((role) => ({ ...role, assignmentType: undefined }));
  return [
    ...roles.map((role) => ({ ...role, assignmentType: 'USER' })),
    ...groupsOfUser(reading)
      .flatMap((group) => group.roles)
      .map((role) => ({ ...role, assignmentType: 'GROUP' })),
  ];
}

function groupsOfUser(reading: Reading): readonly Group[] {
  const ids = new Set(theUser(reading).groups);
  return reading.organization.groups.filter(({ id }) => ids.has(id));
}

function showGroup({ id, name }: Group): object {
  return { id, profile: { name, description: null } };
}
