import type { Group, Member, Role } from '../organization/organization.ts';
import { notFound } from './api-error.ts';
import { list, named, type Reading } from './endpoint.ts';
import { oktaGroup, oktaRolesOfGroup, oktaRolesOfUser } from './okta/okta-members.ts';

export const memberEndpoints = [
  list('/api/v1/users/:id/roles', 'roles', rolesOfUser, undefined, { unpagedInOkta: true }),
  // Okta treats the groups of a user as user data.
  list('/api/v1/users/:id/groups', 'groups', groupsOfUser, showGroup, { oktaScope: 'users' }),
  list('/api/v1/groups', 'groups', ({ organization }) => organization.groups, showGroup, {
    onlyInOkta: true,
  }),
  list('/api/v1/groups/:id/roles', 'roles', rolesOfGroup, undefined, { unpagedInOkta: true }),
];

function rolesOfUser(reading: Reading): readonly Role[] {
  const user = theUser(reading);
  const { dialect, organization, url } = reading;
  return dialect === 'okta' ? oktaRolesOfUser(user, organization.groups, url) : user.roles;
}

function rolesOfGroup(reading: Reading): readonly Role[] {
  const group = named(reading.organization.groups, reading);
  if (group === undefined) throw notFound(`${reading.id} (UserGroup)`);
  return reading.dialect === 'okta' ? oktaRolesOfGroup(group, reading.url) : group.roles;
}

function theUser(reading: Reading): Member {
  const user = named(reading.organization.users, reading);
  if (user === undefined) throw notFound(`${reading.id} (User)`);
  return user;
}

function groupsOfUser(reading: Reading): readonly Group[] {
  const ids = new Set(theUser(reading).groups);
  return reading.organization.groups.filter(({ id }) => ids.has(id));
}

function showGroup(group: Group, { dialect, url }: Reading): object {
  if (dialect === 'okta') return oktaGroup(group, url);
  return { id: group.id, profile: { name: group.name, description: null } };
}
