import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createPool, type Database, lowerBackendPriority, openConnection } from '../db/connect.ts';
import { WakeUp, WEBHOOKS_CHANNEL } from '../db/notifications.ts';
import { faultOf } from '../db/session-client.ts';
import { NIL_UUID } from '../lib/nil-uuid.ts';
import { type AttemptDependencies, attemptDelivery } from './attempt-delivery.ts';
import {
  type Busy,
  type ClaimedDelivery,
  claimDelivery,
  msUntilNextDelivery,
  rescheduleDelivery,
} from './delivery-queue.ts';
import { REQUEST_SECONDS } from './send-request.ts';

export interface DelivererDependencies extends AttemptDependencies {
  readonly database: Database;
  readonly embedded: boolean;
  /** Stops claiming. Requests in progress have a few seconds to end. */
  readonly signal: AbortSignal;
}

const SECOND = 1000;
/** Requests in progress at the same time. Each holds a connection, which is closed when it is idle. */
const MAX_REQUESTS = 8;
/** Two slow receivers of one tenant leave the other requests to other tenants. */
const MAX_REQUESTS_PER_TENANT = 2;
/** Events of other processes are found by polling. */
const POLL_MS = 5 * SECOND;
/** Delay after the database failed. */
const RETRY_MS = 5 * SECOND;
/** How long requests may take to end during shutdown. */
const FINISH_MS = 4 * SECOND;
/** A hung process loses its deliveries to other processes. */
const IDLE_IN_TRANSACTION_MS = 4 * REQUEST_SECONDS * SECOND;

/**
 * Sends the deliveries of webhooks that are due. Any number of processes can do so: a transaction locks a delivery's row
 * in the queue while it is being sent. A process sends one delivery of a webhook at a time.
 */
export class WebhookDeliverer {
  readonly #dependencies: DelivererDependencies;
  readonly #pool: pg.Pool;
  /** By id of the webhook. */
  readonly #attempts = new Map<string, { readonly tenantId: string; readonly ended: Promise<void> }>();
  readonly #abort = new AbortController();
  readonly #running: Promise<void>;
  #wakeUp: WakeUp | undefined;
  #lastTenantId = NIL_UUID;

  constructor(dependencies: DelivererDependencies) {
    this.#dependencies = dependencies;
    const { database, embedded, log } = dependencies;
    this.#pool = createPool(
      database,
      {
        applicationName: 'sluice worker',
        max: MAX_REQUESTS,
        idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
      },
      (error) => log.warn({ err: error }, 'an idle database connection was lost'),
    );
    // The client runs its statements in order, so this one precedes those of its first use.
    if (embedded)
      this.#pool.on('connect', (client) => {
        lowerBackendPriority(client).catch((error: unknown) =>
          log.warn({ err: error }, 'the priority of a database connection could not be lowered'),
        );
      });
    this.#running = this.#run();
  }

  /** Call it after an event may have occurred in this process. */
  wake(): void {
    this.#wakeUp?.trigger();
  }

  /** Resolves when all requests have ended or were aborted. Call it after the signal has fired. */
  async stopped(): Promise<void> {
    const cutOff = setTimeout(() => this.#abort.abort(new Error('the server is shutting down')), FINISH_MS);
    await this.#running;
    await Promise.all(Array.from(this.#attempts.values(), ({ ended }) => ended));
    clearTimeout(cutOff);
    await this.#pool.end();
  }

  async #run(): Promise<void> {
    const { signal, log } = this.#dependencies;
    while (!signal.aborted) {
      try {
        await this.#deliverOnConnection();
      } catch (error) {
        log.warn(
          { err: error },
          'the delivery of webhooks was interrupted by a database error; it will be retried',
        );
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #deliverOnConnection(): Promise<void> {
    const { database, embedded, signal } = this.#dependencies;
    const listener = await openConnection(database, { applicationName: 'sluice worker' });
    const wakeUp = new WakeUp(listener, signal);
    let lost: Error | undefined;
    listener.on('error', (error) => {
      lost = error;
      wakeUp.trigger();
    });
    this.#wakeUp = wakeUp;
    try {
      if (embedded) await lowerBackendPriority(listener);
      await listener.query(`listen ${WEBHOOKS_CHANNEL}`);
      while (!signal.aborted) {
        if (lost !== undefined) throw lost;
        wakeUp.reset();
        while (this.#attempts.size < MAX_REQUESTS && !signal.aborted && (await this.#startNext()));
        await wakeUp.wait(Math.min(POLL_MS, (await msUntilNextDelivery(listener)) ?? POLL_MS));
      }
    } finally {
      wakeUp.close();
      await Promise.allSettled([listener.end()]);
    }
  }

  /** Claims a delivery and begins to send it. Returns false if none can be claimed. */
  async #startNext(): Promise<boolean> {
    const client = await this.#pool.connect();
    const release = (failure?: Error) => client.release(faultOf(client) ?? failure);
    try {
      await client.query('begin');
      const claim = await claimDelivery(client, this.#lastTenantId, this.#busy());
      if (claim === undefined) {
        await client.query('commit');
        release();
        return false;
      }
      this.#lastTenantId = claim.tenantId;
      const ended = this.#attempt(client, claim, release).finally(() => {
        this.#attempts.delete(claim.webhookId);
        this.wake();
      });
      this.#attempts.set(claim.webhookId, { tenantId: claim.tenantId, ended });
      return true;
    } catch (error) {
      release(new Error('the connection cannot be used', { cause: error }));
      throw error;
    }
  }

  #busy(): Busy {
    const tenantIds = Array.from(this.#attempts.values(), ({ tenantId }) => tenantId);
    const requests = (id: string) => tenantIds.filter((tenantId) => tenantId === id).length;
    return {
      webhookIds: [...this.#attempts.keys()],
      tenantIds: tenantIds.filter((id) => requests(id) >= MAX_REQUESTS_PER_TENANT),
    };
  }

  /** Sends a claimed delivery. If the database fails, the delivery is delayed. Does not throw. */
  async #attempt(
    client: pg.PoolClient,
    claim: ClaimedDelivery,
    release: (failure?: Error) => void,
  ): Promise<void> {
    try {
      await attemptDelivery(client, claim, { ...this.#dependencies, signal: this.#abort.signal });
      await client.query('commit');
      release();
    } catch (error) {
      // Closes the connection, which rolls back.
      release(new Error('the attempt failed', { cause: error }));
      if (this.#abort.signal.aborted) return;
      const { tenantId, webhookId, deliveryId } = claim;
      const { log } = this.#dependencies;
      log.warn(
        { err: error, tenantId, webhookId, deliveryId },
        'a delivery of a webhook was interrupted by a database error; it will be retried',
      );
      await this.#delay(claim).catch((failure: unknown) =>
        log.warn({ err: failure, deliveryId }, 'the delivery could not be delayed'),
      );
    }
  }

  /** Otherwise, a delivery whose node is unavailable would be claimed all the time. */
  async #delay(claim: ClaimedDelivery): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await rescheduleDelivery(client, claim, RETRY_MS);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
