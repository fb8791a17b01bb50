import compliant from '../../organizations/compliant.json' with { type: 'json' };
import type { App, Group, Member, Named, Organization, Policy } from './organization.ts';
import { randomNumbers } from './random-numbers.ts';

const ACCESS_POLICIES = 60;
const OWNERS = 400;
const OWNER_GROUPS = 40;
const ROLES = ['READ_ONLY_ADMIN', 'HELP_DESK_ADMIN', 'APP_ADMIN', 'REPORT_ADMIN', 'SUPER_ADMIN'] as const;

export interface LargeOrganizationSize {
  /** Beside the few of the compliant organization. */
  readonly apps: number;
  readonly tokens: number;
  /** The same seed gives the same organization. */
  readonly seed: number;
}

/** The compliant organization with many apps and API tokens, some of which are compliant and some not. */
export function largeOrganization({ apps, tokens, seed }: LargeOrganizationSize): Organization {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const base: Organization = structuredClone(compliant);
  const zones = base.zones.map(({ id }) => id);
  const zone = () => zones[below(zones.length)] ?? '';
  const policies = many(ACCESS_POLICIES, (at) => accessPolicy(at, below(4), zone));
  const groups = many(OWNER_GROUPS, (at) =>
    ownerGroup(at, below(10) === 0 ? [role(`Group${at}`, below(5))] : []),
  );
  const owners = many(OWNERS, (at) => owner(at, below, groups));
  return {
    ...base,
    name: 'large',
    policies: [...base.policies, ...policies],
    apps: [
      ...base.apps,
      ...many(apps, (at) => app(at, policies[below(ACCESS_POLICIES)]?.id ?? null, below(20))),
    ],
    apiTokens: [...base.apiTokens, ...many(tokens, (at) => token(at, owners[below(OWNERS)], below(8), zone))],
    users: [...base.users, ...owners],
    groups: [...base.groups, ...groups],
  };
}

function many<Item>(count: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** Compliant but where `fault` says which thing is wrong with it. */
function accessPolicy(at: number, fault: number, zone: () => string): Policy {
  const rule = (id: string, name: string, priority: number, network: object, access: string): Named => ({
    id: `rul${id}`,
    name,
    priority,
    status: 'ACTIVE',
    system: name === 'Catch-all Rule',
    conditions: { network },
    actions: {
      appSignOn: { access, verificationMethod: { type: 'ASSURANCE', factorMode: '2FA', constraints: [] } },
    },
    type: 'ACCESS_POLICY',
  });
  const anywhere = { connection: 'ANYWHERE' };
  const zoned = () => ({ connection: 'ZONE', include: [zone()] });
  return {
    type: 'ACCESS_POLICY',
    id: `rstLarge${at}`,
    name: `Access policy ${at}`,
    priority: 1,
    status: 'ACTIVE',
    system: false,
    rules: [
      rule(`Large${at}a`, 'Staff', 1, zoned(), 'ALLOW'),
      rule(`Large${at}b`, 'Contractors', 2, fault === 1 ? anywhere : zoned(), 'ALLOW'),
      rule(`Large${at}c`, 'Catch-all Rule', 99, anywhere, fault === 2 ? 'ALLOW' : 'DENY'),
    ],
  };
}

/** One in twenty apps is inactive, one has no policy. */
function app(at: number, accessPolicyId: string | null, chance: number): App {
  return {
    id: `0oaLarge${at}`,
    name: 'oidc_client',
    label: `App ${at}`,
    status: chance === 0 ? 'INACTIVE' : 'ACTIVE',
    signOnMode: 'OPENID_CONNECT',
    accessPolicyId: chance === 1 ? null : accessPolicyId,
  };
}

function role(id: string, kind: number) {
  const type = ROLES[kind] ?? 'READ_ONLY_ADMIN';
  return { id: `ra1${id}`, type, label: type, status: 'ACTIVE' };
}

function ownerGroup(at: number, roles: Group['roles']): Group {
  return { id: `00gLarge${at}`, name: `Group ${at}`, roles };
}

function owner(at: number, below: (limit: number) => number, groups: readonly Group[]): Member {
  const memberships = many(1 + below(3), () => groups[below(groups.length)]?.id ?? '');
  return {
    id: `00uLarge${at}`,
    roles: [role(`User${at}`, below(10) === 0 ? 4 : below(4))],
    groups: [...new Set(memberships)],
  };
}

/** One in eight tokens is good from anywhere, one is bound to a zone that is gone. */
function token(at: number, owner: Member | undefined, chance: number, zone: () => string): Named {
  const include = [chance === 1 ? 'nzoGone' : zone()];
  return {
    id: `00TLarge${at}`,
    name: `Token ${at}`,
    clientName: 'Directory API',
    userId: owner?.id,
    tokenWindow: 'P30D',
    network: chance === 0 ? { connection: 'ANYWHERE' } : { connection: 'ZONE', include },
  };
}
