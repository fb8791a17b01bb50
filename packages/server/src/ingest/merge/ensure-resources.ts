import type { DetectionFinding, FindingResource } from '@sluice/ocsf';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { byId } from '../../lib/by-id.ts';
import { derivedIdBytes } from '../../lib/derived-id.ts';
import { PairMap } from '../../lib/pair-map.ts';
import { hexOf } from './copy-writer.ts';
import { createOrUpdateResources } from './create-resources.ts';
import { compareAttributes, isNewer } from './resource-attributes.ts';
import { updateSeenAt } from './update-seen-at.ts';

/** A resource that findings refer to. */
export interface ResourceReference {
  /**
   * The `resourceId`. Empty until `ResourceStore.ensure` sets it: most ids are known, and deriving one takes much longer
   * than a lookup.
   */
  id: string;
  /** `resources.key`; 0 until it is known. */
  key: number;
  readonly providerId: string;
  readonly uid: string;
  /** From the newest record of the frame. */
  attributes: FindingResource;
  /** Time of the newest record of the frame, in milliseconds since 1970. */
  time: number;
  /** The first finding that refers to the resource; null in a database with the previous layout. */
  readonly finding: Pick<DetectionFinding, 'uid' | 'checkId'> | null;
  /**
   * `resources.uid_pattern`, as soon as it is known. Findings with this pattern need no uid of their own. If the resource
   * is new, it is that of its first finding.
   */
  uidPattern: string | null;
  /** The row has these attributes if this is its `xmin`, which changes with each update. */
  version: string | null;
}

/** A resource in the database, which has these or newer attributes. */
type KnownResource = Pick<ResourceReference, 'id' | 'key' | 'uidPattern' | 'attributes' | 'time' | 'version'>;

/** The id of a resource, as 16 bytes with one character per byte. The provider id identifies the tenant and the account. */
export function resourceId({ providerId, uid }: Pick<ResourceReference, 'providerId' | 'uid'>): string {
  return derivedIdBytes(`${providerId}\0${uid}`);
}

/** The cache is emptied if another resource would exceed this number. */
const MAX_KNOWN = 50_000;

/** Stores each resource once, with the attributes and the time of its newest record. Caches stored resources. */
export class ResourceStore {
  /** By provider and uid. */
  #known = new PairMap<KnownResource>();

  /** Writes new and changed resources in separate short transactions, and sets the keys of all. */
  async ensure(client: Queryable, tenantId: string, resources: Iterable<ResourceReference>): Promise<void> {
    const changed: ResourceReference[] = [];
    const unchanged: ResourceReference[] = [];
    for (const resource of resources) {
      const known = this.#known.get(resource.providerId, resource.uid);
      if (known === undefined) {
        resource.id = resourceId(resource);
        changed.push(resource);
        continue;
      }
      resource.id = known.id;
      resource.key = known.key;
      resource.uidPattern = known.uidPattern;
      resource.version = known.version;
      if (!isNewer(resource, known)) continue;
      const isSame = compareAttributes(resource.attributes, known.attributes) === 0;
      (isSame ? unchanged : changed).push(resource);
    }
    const rows = unchanged.sort(byId).map(({ id, time, version }) => ({ row: hexOf(id), time, version }));
    const versions = await updateSeenAt(client, tenantId, 'resources', rows);
    for (const resource of unchanged) {
      resource.version = versions.get(resource.key) ?? null;
      if (resource.version === null) changed.push(resource);
    }
    if (changed.length > 0) {
      changed.sort(byId);
      await inTransaction(client, tenantId, () => createOrUpdateResources(client, tenantId, changed));
    }
    for (const { providerId, uid, time, version } of unchanged) {
      const known = this.#known.get(providerId, uid);
      // Keeps the equal attributes of the entry: new ones would have to be moved to the old generation of the heap.
      if (known !== undefined) Object.assign(known, { time, version });
    }
    for (const resource of changed) this.#remember(resource);
  }

  #remember({ providerId, uid, id, key, uidPattern, attributes, time, version }: ResourceReference): void {
    if (this.#known.size >= MAX_KNOWN && !this.#known.has(providerId, uid)) this.#known = new PairMap();
    this.#known.set(providerId, uid, { id, key, uidPattern, attributes, time, version });
  }
}
