import type { Provider } from './providers/provider.ts';
import { elementFor, hashOf, hex8, mix, type NonEmpty, type Random } from './random.ts';
import type { Account, JsonObject, ResourceType, Tag } from './resource-types/resource-type.ts';

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

// Two-, three-, and four-byte characters and quotation marks, to expose encoding bugs in parsers.
const UNUSUAL_OWNERS: NonEmpty<string> = [
  'Zürich & Łódź',
  'équipe réseau',
  'データ基盤',
  'on-call 🛰',
  'R&D "North"',
];

/** The attributes of a resource that are the same in all of its findings. */
export interface Resource {
  type: ResourceType;
  region: string;
  name: string;
  id: string;
  uid: string;
}

/** Returns the resource with this type and ordinal in an account, independently of the seed. */
export function resourceAt(
  provider: Provider,
  type: ResourceType,
  account: Account,
  accountOrdinal: number,
  ordinal: number,
): Resource {
  const typeHash = hashOf(63, ...Buffer.from(type.type));
  // mix() is one-to-one, so the first eight digits are unique among the resources of this type.
  const unique = mix((ordinal ^ hashOf(61, accountOrdinal, typeHash)) >>> 0);
  const hash = hashOf(62, accountOrdinal, ordinal, typeHash);
  const id = hex8(unique) + hex8(hash);
  const baseName = `${elementFor(WORKLOADS, hash >>> 4)}-${elementFor(PURPOSES, hash >>> 12)}`;
  const region = type.region ?? elementFor(provider.regions, hash >>> 8);
  const name = type.name(baseName, id);
  return { type, region, name, id, uid: type.uid({ account, region, name, id }) };
}

/** Returns up to three random tags. */
export function tagsOf(random: Random): Tag[] {
  const tags: Tag[] = [];
  if (random.chance(0.6)) {
    tags.push({ key: 'owner', value: random.pick(random.chance(0.08) ? UNUSUAL_OWNERS : OWNERS) });
  }
  if (random.chance(0.2)) {
    tags.push({ key: 'env', value: random.pick(['prod', 'staging', 'dev']) });
  }
  if (random.chance(0.1)) {
    tags.push({ key: 'stack:id', value: random.uuid() });
  }
  return tags;
}

/** Returns the metadata of a resource, which depends on the seed but not on the check. */
export function metadataOf(
  { resource, account, random }: { resource: Resource; account: Account; random: Random },
  tags: readonly Tag[],
): JsonObject {
  return resource.type.metadata({ account, ...resource }, tags, random);
}
