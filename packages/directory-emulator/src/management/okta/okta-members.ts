import type { Group, Member, Role } from '../../organization/organization.ts';
import { TIMESTAMPS } from './okta-fields.ts';

type AssignmentType = 'USER' | 'GROUP';

/**
 * The admin roles of a user as Okta returns them: those assigned to the user and those inherited from groups,
 * distinguished by `assignmentType` (example `StandardAndCustomRolesListResponse` of Okta's description).
 */
export function oktaRolesOfUser(user: Member, groups: readonly Group[], url: string): readonly Role[] {
  const direct = user.roles.map((role) => oktaRole(role, 'USER', `${url}/api/v1/users/${user.id}`));
  const inherited = groups
    .filter(({ id }) => user.groups.includes(id))
    .flatMap((group) => oktaRolesOfGroup(group, url));
  return [...direct, ...inherited];
}

export function oktaRolesOfGroup(group: Group, url: string): readonly Role[] {
  return group.roles.map((role) => oktaRole(role, 'GROUP', `${url}/api/v1/groups/${group.id}`));
}

/** A role as Okta returns it (`StandardRole`, `CustomRole`), which always has a type. */
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

/** A group as Okta returns it (`Group`). */
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
