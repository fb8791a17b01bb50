export interface SlotLimits {
  /** How many are at work at a time. */
  readonly atOnce: number;
  /** How long the others wait. */
  readonly queueSeconds: number;
  /** The error of who has waited in vain: for one of all places, or for one of the share of its tenant. */
  readonly tooMany: (which: 'all' | 'tenant', max: number) => Error;
}

/** Gives the place back; more than once is once. */
export type ReleaseSlot = () => void;

interface Waiting {
  readonly begin: () => void;
}

const TENANT_SHARE = 0.75;

/** How many places one tenant has at most: whose work never ends leaves others a quarter, if there is more than one. */
export function slotsPerTenant(atOnce: number): number {
  return Math.max(1, Math.floor(atOnce * TENANT_SHARE));
}

/**
 * So many of a kind are at work at a time; others wait for their turn. Places go round the tenants, so who sends a thousand
 * waits behind its own.
 */
export class TenantSlots {
  readonly #limits: SlotLimits;
  readonly #tenantMax: number;
  /** By tenant, in the order in which they have their turn. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #running = new Map<string, number>();
  #places: number;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#places = limits.atOnce;
    this.#tenantMax = slotsPerTenant(limits.atOnce);
  }

  /**
   * Waits for a place, for a while; `left` is the end of it for a client that goes away. Throws `tooMany` when there is
   * none, and the reason of `left`.
   */
  async take(tenantId: string, left: AbortSignal): Promise<ReleaseSlot> {
    left.throwIfAborted();
    return await new Promise((resolve, reject) => {
      const queue = this.#waiting.get(tenantId) ?? new Set();
      const stop = () => {
        clearTimeout(timer);
        left.removeEventListener('abort', onLeft);
      };
      const leave = (reason: unknown) => {
        stop();
        queue.delete(waiting);
        if (queue.size === 0 && this.#waiting.get(tenantId) === queue) this.#waiting.delete(tenantId);
        reject(reason);
      };
      const onLeft = () => leave(left.reason);
      const timer = setTimeout(() => leave(this.#tooMany(tenantId)), this.#limits.queueSeconds * 1000);
      const waiting: Waiting = {
        begin: () => {
          stop();
          resolve(this.#begin(tenantId));
        },
      };
      left.addEventListener('abort', onLeft);
      queue.add(waiting);
      this.#waiting.set(tenantId, queue);
      this.#next();
    });
  }

  #begin(tenantId: string): ReleaseSlot {
    this.#places -= 1;
    this.#running.set(tenantId, (this.#running.get(tenantId) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#places += 1;
      const running = (this.#running.get(tenantId) ?? 0) - 1;
      if (running > 0) this.#running.set(tenantId, running);
      else this.#running.delete(tenantId);
      this.#next();
    };
  }

  #hasItsShare(tenantId: string): boolean {
    return (this.#running.get(tenantId) ?? 0) >= this.#tenantMax;
  }

  /** What this tenant waits for: where its share is less than all, more places would not help it. */
  #tooMany(tenantId: string): Error {
    const { atOnce, tooMany } = this.#limits;
    if (this.#tenantMax < atOnce && this.#hasItsShare(tenantId)) return tooMany('tenant', this.#tenantMax);
    return tooMany('all', atOnce);
  }

  /** Gives free places to the tenants in turn: who has had one goes to the end of the row. */
  #next(): void {
    for (const [tenantId, queue] of [...this.#waiting]) {
      if (this.#places === 0) return;
      if (this.#hasItsShare(tenantId)) continue;
      const [first] = queue;
      if (first === undefined) continue;
      queue.delete(first);
      this.#waiting.delete(tenantId);
      if (queue.size > 0) this.#waiting.set(tenantId, queue);
      first.begin();
    }
  }
}
