import type { ReadProblem } from '../../directory/read-result.ts';
import type { ApiToken } from '../../directory/snapshot.ts';
import { defineCheck, unreadVerdict } from '../check.ts';
import {
  API_TOKEN_REFERENCES,
  evaluateTokens,
  type TokenEvaluation,
  tokenResource,
} from './token-verdicts.ts';

export const check = defineCheck({
  id: 'apitoken_not_super_admin',
  service: 'apitoken',
  severity: 'medium',
  title: 'API tokens are not owned by Super Administrators',
  description:
    'An API token has the permissions of its owner. No token owner may have the Super Administrator role, either directly or through a group.',
  risk: 'A leaked Super Administrator token gives full control over the organization: users, policies, apps and other administrators.',
  remediation:
    '1. Sign in to the admin console, go to Security > API > Tokens and note the owner of each failing token. 2. Create a service account for the integration and assign it the least privileged admin role that it needs under Security > Administrators. 3. Sign in as that account and create a new token. 4. Update the integration to use the new token. 5. Revoke the old token.',
  references: API_TOKEN_REFERENCES,
  category: 'identity-access',
  stig: {
    requirement: '003241',
    group: 'V-279690',
    rule: 'SV-279690r1155069_rule',
    category: 'CAT II',
    ccis: ['005165', '000366'],
  },
  notes:
    'The check does not verify that the account is used only for its token, or that its custom roles grant only the required permissions. Verify this manually.',
  needs: ['apiTokens'],
  evaluate: (context) =>
    evaluateTokens(
      context,
      context.dialect.listsInheritedRoles ? ['roles'] : ['roles', 'groups'],
      evaluateOwner,
    ),
});

const SUPER_ADMIN_ROLES: ReadonlySet<string> = new Set(['SUPER_ADMIN', 'SUPER_ADMINISTRATOR']);

function evaluateOwner(token: ApiToken): TokenEvaluation {
  const { directRoles, inheritedRoles } = token;
  const reads = [directRoles, ...inheritedRoles];
  const roleNames = new Set(reads.flatMap((roles) => (roles.kind === 'read' ? roles.value : [])));
  const superAdmin = [...roleNames].find(isSuperAdmin);
  if (superAdmin !== undefined) {
    const detail = `${label(token)} has the role ${superAdmin}. API tokens must belong to a service account with the least privileged role that it needs.`;
    return { status: 'FAIL', detail };
  }
  // Without an owner, there are no roles to read, so another scan would not help.
  if (!token.userId) {
    const detail = `API token "${token.name}" does not identify its owner. Find the owner in the admin console and verify that the owner is not a Super Administrator.`;
    return { status: 'MANUAL', detail };
  }
  if (directRoles.kind === 'unread') return rolesUnread(token, directRoles.problem, 'The roles of owner');
  for (const ofGroup of inheritedRoles) {
    if (ofGroup.kind === 'unread') return rolesUnread(token, ofGroup.problem, 'The group roles of owner');
  }
  const roles =
    roleNames.size === 0 ? 'has no admin roles' : `has only these admin roles: ${[...roleNames].join(', ')}`;
  return { status: 'PASS', detail: `${label(token)} ${roles}.` };
}

function rolesUnread(token: ApiToken, problem: ReadProblem, subject: string): TokenEvaluation {
  const { userId, name } = token;
  return unreadVerdict(
    problem,
    tokenResource(token),
    `${subject} ${userId ?? '(unknown)'} of API token "${name}"`,
  );
}

function isSuperAdmin(role: string): boolean {
  return SUPER_ADMIN_ROLES.has(role.trim().replaceAll(' ', '_').toUpperCase());
}

function label({ name, userId }: ApiToken): string {
  return `Owner ${userId ?? '(unknown)'} of API token "${name}"`;
}
