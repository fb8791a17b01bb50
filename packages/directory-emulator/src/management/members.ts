import { notFound } from '../api-error.ts';
import type { Group, Member, Role } from '../organization/organization.ts';
import { type EndpointRequest, findById, list } from './endpoint.ts';
import { oktaGroup, oktaRolesOfGroup, oktaRolesOfUser } from './okta/okta-members.ts';

export const memberEndpoints = [
  list('/api/v1/users/:id/roles', 'roles', rolesOfUser, undefined, { unpagedInOkta: true }),
  // Okta requires the users scope to list a user's groups.
  list('/api/v1/users/:id/groups', 'groups', groupsOfUser, serializeGroup, { oktaScope: 'users' }),
  list('/api/v1/groups', 'groups', ({ organization }) => organization.groups, serializeGroup, {
    onlyInOkta: true,
  }),
  list('/api/v1/groups/:id/roles', 'roles', rolesOfGroup, undefined, { unpagedInOkta: true }),
];

function rolesOfUser(request: EndpointRequest): readonly Role[] {
  const user = requireUser(request);
  const { dialect, organization, url } = request;
  return dialect === 'okta' ? oktaRolesOfUser(user, organization.groups, url) : user.roles;
}

function rolesOfGroup(request: EndpointRequest): readonly Role[] {
  const group = findById(request.organization.groups, request);
  if (group === undefined) throw notFound(`${request.id} (UserGroup)`);
  return request.dialect === 'okta' ? oktaRolesOfGroup(group, request.url) : group.roles;
}

function requireUser(request: EndpointRequest): Member {
  const user = findById(request.organization.users, request);
  if (user === undefined) throw notFound(`${request.id} (User)`);
  return user;
}

function groupsOfUser(request: EndpointRequest): readonly Group[] {
  const ids = new Set(requireUser(request).groups);
  return request.organization.groups.filter(({ id }) => ids.has(id));
}

function serializeGroup(group: Group, { dialect, url }: EndpointRequest): object {
  if (dialect === 'okta') return oktaGroup(group, url);
  return { id: group.id, profile: { name: group.name, description: null } };
}
