import type { DetectionFinding, FindingResource } from '@sluice/ocsf';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { byId } from '../../lib/by-id.ts';
import { hexOf } from './copy-writer.ts';
import { createOrUpdateResources } from './create-resources.ts';
import { compareAttributes, isNewer } from './resource-attributes.ts';
import { updateSeenAt } from './update-seen-at.ts';

/** A resource that findings refer to. */
export interface ResourceReference {
  /** Derived from the provider and the uid; one character per byte. */
  readonly id: string;
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
type KnownResource = Pick<ResourceReference, 'key' | 'uidPattern' | 'attributes' | 'time' | 'version'>;

/** Stores each resource once, with the attributes and the time of its newest record. Caches stored resources. */
export class ResourceStore {
  readonly #known = new BoundedMap<string, KnownResource>(50_000);

  /** Writes new and changed resources in separate short transactions, and sets the keys of all. */
  async ensure(client: Queryable, tenantId: string, resources: Iterable<ResourceReference>): Promise<void> {
    const changed: ResourceReference[] = [];
    const unchanged: ResourceReference[] = [];
    for (const resource of resources) {
      const known = this.#known.get(resource.id);
      if (known === undefined) {
        changed.push(resource);
        continue;
      }
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
    for (const { id, time, version } of unchanged) {
      const known = this.#known.get(id);
      // Not a new entry: equal attributes would replace those that are already in the old generation of the heap.
      if (known !== undefined) Object.assign(known, { time, version });
    }
    for (const { id, key, uidPattern, attributes, time, version } of changed)
      this.#known.set(id, { key, uidPattern, attributes, time, version });
  }
}
