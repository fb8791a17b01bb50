import compliant from '../../organizations/compliant.json' with { type: 'json' };
import type { App, Group, Member, Named, Organization, Policy } from './organization.ts';

const ACCESS_POLICIES = 60;
const OWNERS = 400;
const OWNER_GROUPS = 40;
const ROLES = ['READ_ONLY_ADMIN', 'HELP_DESK_ADMIN', 'APP_ADMIN', 'REPORT_ADMIN', 'SUPER_ADMIN'] as const;

export interface LargeOrganizationSize {
  /** The number of apps to add to the compliant organization. */
  readonly apps: number;
  /** The number of API tokens to add to the compliant organization. */
  readonly tokens: number;
  /** The same seed produces the same organization. */
  readonly seed: number;
}

/** Adds many apps and API tokens, compliant and non-compliant, to the compliant organization. */
export function largeOrganization({ apps, tokens, seed }: LargeOrganizationSize): Organization {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const base: Organization = structuredClone(compliant);
  const zones = base.zones.map(({ id }) => id);
  const zone = () => zones[below(zones.length)] ?? '';
  const policies = many(ACCESS_POLICIES, (index) => accessPolicy(index, below(4), zone));
  const groups = many(OWNER_GROUPS, (index) =>
    ownerGroup(index, below(10) === 0 ? [role(`Group${index}`, below(5))] : []),
  );
  const owners = many(OWNERS, (index) => owner(index, below, groups));
  return {
    ...base,
    name: 'large',
    policies: [...base.policies, ...policies],
    apps: [
      ...base.apps,
      ...many(apps, (index) => app(index, policies[below(ACCESS_POLICIES)]?.id ?? null, below(20))),
    ],
    apiTokens: [
      ...base.apiTokens,
      ...many(tokens, (index) => token(index, owners[below(OWNERS)], below(8), zone)),
    ],
    users: [...base.users, ...owners],
    groups: [...base.groups, ...groups],
  };
}

function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Creates an access policy, which is not compliant if `fault` is 1 or 2. */
function accessPolicy(index: number, fault: number, zone: () => string): Policy {
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
    id: `rstLarge${index}`,
    name: `Access policy ${index}`,
    priority: 1,
    status: 'ACTIVE',
    system: false,
    rules: [
      rule(`Large${index}a`, 'Employees', 1, zoned(), 'ALLOW'),
      rule(`Large${index}b`, 'Contractors', 2, fault === 1 ? anywhere : zoned(), 'ALLOW'),
      rule(`Large${index}c`, 'Catch-all Rule', 99, anywhere, fault === 2 ? 'ALLOW' : 'DENY'),
    ],
  };
}

/** On average, 1 in 20 apps is inactive, and 1 in 20 has no policy. */
function app(index: number, accessPolicyId: string | null, chance: number): App {
  return {
    id: `0oaLarge${index}`,
    name: 'oidc_client',
    label: `App ${index}`,
    status: chance === 0 ? 'INACTIVE' : 'ACTIVE',
    signOnMode: 'OPENID_CONNECT',
    accessPolicyId: chance === 1 ? null : accessPolicyId,
  };
}

function role(id: string, typeIndex: number) {
  const type = ROLES[typeIndex] ?? 'READ_ONLY_ADMIN';
  return { id: `ra1${id}`, type, label: type, status: 'ACTIVE' };
}

function ownerGroup(index: number, roles: Group['roles']): Group {
  return { id: `00gLarge${index}`, name: `Group ${index}`, roles };
}

function owner(index: number, below: (limit: number) => number, groups: readonly Group[]): Member {
  const memberships = many(1 + below(3), () => groups[below(groups.length)]?.id ?? '');
  return {
    id: `00uLarge${index}`,
    roles: [role(`User${index}`, below(10) === 0 ? 4 : below(4))],
    groups: [...new Set(memberships)],
  };
}

/** On average, 1 in 8 tokens can be used from anywhere, and 1 in 8 is restricted to a deleted zone. */
function token(index: number, owner: Member | undefined, chance: number, zone: () => string): Named {
  const include = [chance === 1 ? 'nzoDeleted' : zone()];
  return {
    id: `00TLarge${index}`,
    name: `Token ${index}`,
    clientName: 'Directory API',
    userId: owner?.id,
    tokenWindow: 'P30D',
    network: chance === 0 ? { connection: 'ANYWHERE' } : { connection: 'ZONE', include },
  };
}

/** Returns a seeded random number generator (xorshift32) for numbers from 0, inclusive, to 1, exclusive. */
function randomNumbers(seed: number): () => number {
  // Avoid the state 0, from which xorshift32 generates only zeros.
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
