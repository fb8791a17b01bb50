import type { Account, JsonObject, Provider, ResourceKind, Tag } from './providers/provider.ts';
import { elementFor, hashOf, hex8, mix, type NonEmpty, type Random } from './random.ts';

const WORKLOADS: NonEmpty<string> = [
  'orders',
  'billing',
  'search',
  'ledger',
  'media',
  'catalog',
  'claims',
  'fleet',
];
const PURPOSES: NonEmpty<string> = [
  'export',
  'api',
  'worker',
  'archive',
  'gateway',
  'cache',
  'report',
  'stage',
];

const OWNERS: NonEmpty<string> = [
  'platform',
  'data-engineering',
  'payments',
  'security',
  'web',
  'sre',
  'finance',
];

// Characters of two, three and four bytes, and quotes: what readers of bytes trip over.
const UNUSUAL_OWNERS: NonEmpty<string> = [
  'Zoë Łukasik',
  'équipe réseau',
  'データ基盤',
  'on-call 🛰',
  'R&D "North"',
];

/** A resource as every finding about it names it. */
export interface Resource {
  kind: ResourceKind;
  region: string;
  name: string;
  id: string;
  uid: string;
}

/** The resource of a number in an account: always the same one, whatever the seed. */
export function resourceAt(
  provider: Provider,
  account: Account,
  accountOrdinal: number,
  ordinal: number,
): Resource {
  // Mixing is one to one, so the first eight digits differ for every resource of the account.
  const unique = mix((ordinal ^ hashOf(61, accountOrdinal)) >>> 0);
  const more = hashOf(62, accountOrdinal, ordinal);
  const id = hex8(unique) + hex8(more);
  const words = `${elementFor(WORKLOADS, more >>> 4)}-${elementFor(PURPOSES, more >>> 12)}`;
  const kind = elementFor(provider.kinds, more >>> 2);
  const region = elementFor(provider.regions, more >>> 8);
  const name = kind.name(words, id);
  return { kind, region, name, id, uid: kind.uid({ account, region, name, id }) };
}

/** Tags of a resource: none for some, up to three for others. */
export function tagsOf(random: Random): Tag[] {
  const tags: Tag[] = [];
  if (random.chance(0.6)) {
    tags.push({ key: 'owner', value: random.pick(random.chance(0.08) ? UNUSUAL_OWNERS : OWNERS) });
  }
  if (random.chance(0.2)) {
    tags.push({ key: 'env', value: random.pick(['prod', 'stage', 'dev']) });
  }
  if (random.chance(0.1)) {
    tags.push({ key: 'stack:id', value: random.uuid() });
  }
  return tags;
}

/** The metadata of a resource, the same for every check of one seed. */
export function metadataOf(
  resource: Resource,
  account: Account,
  tags: readonly Tag[],
  random: Random,
): JsonObject {
  const { kind, region, name, id } = resource;
  return kind.metadata({ account, region, name, id }, tags, random);
}
