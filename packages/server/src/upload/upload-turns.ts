import { ApiError } from '../jsonapi/errors.ts';

export interface UploadTurnLimits {
  readonly uploadsAtOnce: number;
  readonly uploadQueueSeconds: number;
}

/** Gives the place back; more than once is once. */
export type EndTurn = () => void;

interface Waiting {
  readonly begin: () => void;
}

const TENANT_SHARE = 0.75;

/** How many places one tenant has at most: whose uploads never end leaves others a quarter, if there is more than one. */
export function placesPerTenant(uploadsAtOnce: number): number {
  return Math.max(1, Math.floor(uploadsAtOnce * TENANT_SHARE));
}

/**
 * So many uploads are read at a time; others wait for their turn, before a byte of their body is read. Places go round the
 * tenants, so who sends a thousand waits behind its own.
 */
export class UploadTurns {
  readonly #limits: UploadTurnLimits;
  readonly #tenantMax: number;
  /** By tenant, in the order in which they have their turn. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #running = new Map<string, number>();
  #places: number;

  constructor(limits: UploadTurnLimits) {
    this.#limits = limits;
    this.#places = limits.uploadsAtOnce;
    this.#tenantMax = placesPerTenant(limits.uploadsAtOnce);
  }

  /**
   * Waits for a place, for a while; `left` is the end of it for a client that goes away. Throws an ApiError (503) when
   * there is none, and the reason of `left`.
   */
  async take(tenantId: string, left: AbortSignal): Promise<EndTurn> {
    left.throwIfAborted();
    const { uploadQueueSeconds } = this.#limits;
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
      const timer = setTimeout(() => leave(this.#tooMany(tenantId)), uploadQueueSeconds * 1000);
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

  #begin(tenantId: string): EndTurn {
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

  /** Names what an upload of this tenant waits for: where its share is less than all, more places would not help it. */
  #tooMany(tenantId: string): ApiError {
    const { uploadsAtOnce, uploadQueueSeconds } = this.#limits;
    if (this.#tenantMax < uploadsAtOnce && this.#hasItsShare(tenantId))
      return tooMany('uploads_at_once_per_tenant', this.#tenantMax, ' of a tenant', uploadQueueSeconds);
    return tooMany('uploads_at_once', uploadsAtOnce, '', uploadQueueSeconds);
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

function tooMany(limit: string, max: number, whose: string, seconds: number): ApiError {
  const uploads = `${max} ${max === 1 ? 'upload' : 'uploads'}${whose}`;
  return new ApiError({
    status: 503,
    code: 'too_many_uploads',
    title: 'Too many uploads at once',
    detail: `This process reads ${uploads} at once, and this one has waited ${seconds} s for its turn; nothing of it was read. Try again in ${RETRY_SECONDS} s`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
    meta: { limit, max },
  });
}

const RETRY_SECONDS = 10;
