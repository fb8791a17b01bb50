export interface SlotLimits {
  /** Maximum slots in use at the same time. */
  readonly atOnce: number;
  /** How long additional operations wait for a slot. */
  readonly queueSeconds: number;
  /**
   * Creates the error for an operation that waited too long, either for any slot or for a slot within the tenant's
   * share.
   */
  readonly tooMany: (which: 'all' | 'tenant', max: number) => Error;
}

/** Releases the slot. Repeated calls have no effect. */
export type ReleaseSlot = () => void;

interface Waiting {
  readonly start: () => void;
}

const TENANT_SHARE = 0.75;

/** Maximum slots of one tenant. If there is more than one slot, a quarter of the slots remains for other tenants. */
export function slotsPerTenant(atOnce: number): number {
  return Math.max(1, Math.floor(atOnce * TENANT_SHARE));
}

/**
 * Limits the number of concurrent operations. Free slots are assigned to the waiting tenants round-robin, so that a
 * tenant with many waiting operations delays only itself.
 */
export class TenantSlots {
  readonly #limits: SlotLimits;
  readonly #tenantMax: number;
  /** Waiting operations by tenant, in the order in which the tenants receive the next slots. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #running = new Map<string, number>();
  #free: number;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#free = limits.atOnce;
    this.#tenantMax = slotsPerTenant(limits.atOnce);
  }

  /**
   * Waits for a slot. Throws the error that `tooMany` creates after waiting too long, and the abort reason of
   * `disconnected` if the client disconnects.
   */
  async take(tenantId: string, disconnected: AbortSignal): Promise<ReleaseSlot> {
    disconnected.throwIfAborted();
    return await new Promise((resolve, reject) => {
      const queue = this.#waiting.get(tenantId) ?? new Set();
      const stop = () => {
        clearTimeout(timer);
        disconnected.removeEventListener('abort', onDisconnected);
      };
      const cancel = (reason: unknown) => {
        stop();
        queue.delete(waiting);
        if (queue.size === 0 && this.#waiting.get(tenantId) === queue) this.#waiting.delete(tenantId);
        reject(reason);
      };
      const onDisconnected = () => cancel(disconnected.reason);
      const timer = setTimeout(() => cancel(this.#tooMany(tenantId)), this.#limits.queueSeconds * 1000);
      const waiting: Waiting = {
        start: () => {
          stop();
          resolve(this.#start(tenantId));
        },
      };
      disconnected.addEventListener('abort', onDisconnected);
      queue.add(waiting);
      this.#waiting.set(tenantId, queue);
      this.#assignSlots();
    });
  }

  #start(tenantId: string): ReleaseSlot {
    this.#free -= 1;
    this.#running.set(tenantId, (this.#running.get(tenantId) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#free += 1;
      const running = (this.#running.get(tenantId) ?? 0) - 1;
      if (running > 0) this.#running.set(tenantId, running);
      else this.#running.delete(tenantId);
      this.#assignSlots();
    };
  }

  #hasFullShare(tenantId: string): boolean {
    return (this.#running.get(tenantId) ?? 0) >= this.#tenantMax;
  }

  /**
   * Creates the error after the tenant has waited too long, either because its share is used up or because all slots
   * are in use.
   */
  #tooMany(tenantId: string): Error {
    const { atOnce, tooMany } = this.#limits;
    if (this.#tenantMax < atOnce && this.#hasFullShare(tenantId)) return tooMany('tenant', this.#tenantMax);
    return tooMany('all', atOnce);
  }

  /** Assigns free slots to the tenants round-robin: a tenant that receives one moves to the end of the queue. */
  #assignSlots(): void {
    for (const [tenantId, queue] of [...this.#waiting]) {
      if (this.#free === 0) return;
      if (this.#hasFullShare(tenantId)) continue;
      const [first] = queue;
      if (first === undefined) continue;
      queue.delete(first);
      this.#waiting.delete(tenantId);
      if (queue.size > 0) this.#waiting.set(tenantId, queue);
      first.start();
    }
  }
}
