import type { ReadProblem } from '../../directory/read.ts';
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
  title: 'No API token belongs to a Super Administrator',
  description:
    'An API token may do whatever its owner may do. The owner of each token must not be a Super Administrator, neither by a role of its own nor by one that it inherits from a group.',
  risk: 'A token of a Super Administrator that leaks gives control of the whole organization: users, policies, applications and other administrators.',
  remediation:
    'In the admin console open Security > API > Tokens and note the owner of each token that fails. Create a service account for its use, assign it the least admin role that the use needs under Security > Administrators, create a new token while signed in as that account, change the integration to it, and revoke the old token.',
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
    'That the account is used for nothing but its token, and that its custom roles reach no further than needed, is not checked; verify it by hand.',
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
  const seen = new Set(reads.flatMap((roles) => (roles.kind === 'read' ? roles.value : [])));
  const superAdmin = [...seen].find(isSuperAdmin);
  if (superAdmin !== undefined) {
    const detail = `${label(token)} has the role ${superAdmin}; tokens must belong to a service account with the least role that it needs.`;
    return { status: 'FAIL', detail };
  }
  // There was nobody whose roles could be asked for, so that scanning again would not help.
  if (!token.userId) {
    const detail = `API token "${token.name}" does not say who its owner is; find the owner in the admin console and verify that it is no Super Administrator.`;
    return { status: 'MANUAL', detail };
  }
  if (directRoles.kind === 'unread') return rolesUnread(token, directRoles.problem, 'The roles of the owner');
  for (const ofGroup of inheritedRoles) {
    if (ofGroup.kind === 'unread')
      return rolesUnread(token, ofGroup.problem, 'The roles that the owner inherits from groups');
  }
  const roles = seen.size === 0 ? 'has no admin roles' : `has only the roles ${[...seen].join(', ')}`;
  return { status: 'PASS', detail: `${label(token)} ${roles}, and so is no Super Administrator.` };
}

function rolesUnread(token: ApiToken, problem: ReadProblem, what: string): TokenEvaluation {
  const { userId, name } = token;
  return unreadVerdict(
    problem,
    tokenResource(token),
    `${what} ${userId ?? '(unknown)'} of API token "${name}"`,
  );
}

function isSuperAdmin(role: string): boolean {
  return SUPER_ADMIN_ROLES.has(role.trim().replaceAll(' ', '_').toUpperCase());
}

function label({ name, userId }: ApiToken): string {
  return `The owner ${userId ?? '(unknown)'} of API token "${name}"`;
}
