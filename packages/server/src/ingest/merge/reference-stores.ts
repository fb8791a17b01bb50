import pLimit, { type LimitFunction } from 'p-limit';
import type { Queryable } from '../../db/transaction.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { type CheckOfRecord, CheckStore } from './ensure-checks.ts';
import { FacetStore } from './ensure-facets.ts';
import { ResourceStore } from './ensure-resources.ts';
import type { FrameReferences } from './frame-references.ts';

/** Creates and caches the rows that findings refer to by key. */
export class ReferenceStores {
  /** Fingerprints of check texts that cause no warnings. These texts are decoded only if they have to be stored. */
  readonly validTexts = new BoundedMap<string, true>(20_000);
  readonly #checks = new CheckStore();
  readonly #facets = new FacetStore();
  readonly #resources = new ResourceStore();
  /** One frame of a tenant at a time, so that each frame finds the rows of the previous ones in the caches. */
  readonly #queues = new Map<string, LimitFunction>();

  /**
   * Creates the missing rows of a frame and sets the keys of all references. `checks` has each check of the frame once.
   */
  async ensure(
    client: Queryable,
    tenantId: string,
    checks: Iterable<CheckOfRecord>,
    references: FrameReferences,
  ): Promise<void> {
    const queue = this.#queues.get(tenantId) ?? pLimit(1);
    this.#queues.set(tenantId, queue);
    try {
      await queue(async () => {
        await this.#checks.ensure(client, tenantId, checks, references.checks);
        await this.#facets.ensure(client, tenantId, references.facets);
        await this.#resources.ensure(client, tenantId, references.resources.values());
      });
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) this.#queues.delete(tenantId);
    }
  }
}

/**
 * The stores that the workers of a thread share. A worker replaces them after an error, because its connections may
 * have been lost: rows are created without waiting for the disk, so a database server that crashed may have lost rows
 * whose keys are cached. Other workers use the new stores from their next frame on.
 */
export class SharedStores {
  #current = new ReferenceStores();

  get current(): ReferenceStores {
    return this.#current;
  }

  replace(): void {
    this.#current = new ReferenceStores();
  }
}
