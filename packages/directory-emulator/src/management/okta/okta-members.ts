import type { Group, Member, Role } from '../../organization/organization.ts';
import { TIMESTAMPS } from './okta-fields.ts';

type AssignmentType = 'USER' | 'GROUP';

/**
 * Serializes the admin roles of a user in Okta's format, including roles inherited from groups. `assignmentType`
 * distinguishes inherited roles (see the example `StandardAndCustomRolesListResponse` in Okta's API description).
 */
export function oktaRolesOfUser(user: Member, groups: readonly Group[], url: string): readonly Role[] {
  const direct = user.roles.map((role) => oktaRole(role, 'USER', `${url}/api/v1/users/${user.id}`));
  const inherited = groups
    .filter(({ id }) => user.groups.includes(id))
    .flatMap((group) => oktaRolesOfGroup(group, url));
  return [...direct, ...inherited];
}

/** Serializes the admin roles of a group in Okta's format. */
export function oktaRolesOfGroup(group: Group, url: string): readonly Role[] {
  return group.roles.map((role) => oktaRole(role, 'GROUP', `${url}/api/v1/groups/${group.id}`));
}

/** Serializes a role in Okta's format (`StandardRole`, `CustomRole`). Okta's roles always have a type. */
function oktaRole(role: Role, assignmentType: AssignmentType, assignee: string): Role {
  return {
    ...role,
    type: role.type ?? typeOf(role.label),
    status: 'ACTIVE',
    ...TIMESTAMPS,
    assignmentType,
    _links: { assignee: { href: assignee } },
  };
}

function typeOf(label: string): string {
  return /^Super (?:Organization )?Administrator$/.test(label) ? 'SUPER_ADMIN' : 'CUSTOM';
}

/** Serializes a group in Okta's format (`Group`). */
export function oktaGroup({ id, name }: Group, url: string): object {
  const href = `${url}/api/v1/groups/${id}`;
  return {
    id,
    ...TIMESTAMPS,
    lastMembershipUpdated: TIMESTAMPS.lastUpdated,
    objectClass: ['okta:user_group'],
    type: name === 'Everyone' ? 'BUILT_IN' : 'OKTA_GROUP',
    profile: { name, description: null },
    _links: { users: { href: `${href}/users` }, apps: { href: `${href}/apps` } },
  };
}
