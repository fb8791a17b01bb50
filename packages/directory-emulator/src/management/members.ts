import type { Group, Member } from '../organization/organization.ts';
import { notFound } from './api-error.ts';
import { list, named, type Reading } from './endpoint.ts';

export const memberEndpoints = [
  list('/api/v1/users/:id/roles', 'roles', (reading) => theUser(reading).roles),
  list('/api/v1/users/:id/groups', 'groups', groupsOfUser, showGroup),
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

function groupsOfUser(reading: Reading): readonly Group[] {
  const ids = new Set(theUser(reading).groups);
  return reading.organization.groups.filter(({ id }) => ids.has(id));
}

function showGroup({ id, name }: Group): object {
  return { id, profile: { name, description: null } };
}
