import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FRAMES_CHANNEL } from '../../src/db/notifications.ts';
import { asTenant } from '../../src/db/transaction.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { Faults } from '../kill/faults.ts';
import type { PlannedUpload } from '../kill/planned-upload.ts';
import { postUpload } from '../kill/post-upload.ts';
import type { SentUpload } from '../kill/uploader.ts';
import { type Client, createClient } from '../support/client.ts';
import type { ScenarioUploads } from './scenario-uploads.ts';
import type { TestBed } from './test-bed.ts';

/**
 * Maximum recovery time, in milliseconds. Backoff is shortened, but removing a provider waits for all write
 * transactions in the cluster, and other tests in the same run restore a million rows in a single transaction.
 */
const RECOVERY_MS = 180_000;
const POLL_MS = 5;
const NUDGE_MS = 250;
const RETRY_MS = 5;
const ATTEMPTS = 20;
const COMMAND_ATTEMPTS = 20;
const COMMAND_DELAY_MS = 50;

/** A tenant for one run of the scenario, and the state of its client. */
export interface Tenant {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly client: Client;
  readonly plans: ScenarioUploads;
  readonly faults: Faults;
  readonly sent: SentUpload[];
  /** Error statuses that a request may return while a fault is injected. */
  readonly statuses: readonly number[];
  /** Error responses and failed commands. */
  readonly rejections: Set<string>;
  /** Runs SQL as the database owner, without injected faults. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Runs SQL in a session that sees only the rows of this tenant. */
  readonly tenantSql: (text: string) => Promise<unknown[]>;
}

export async function createTenant(
  { owner, pool, service: { url }, plans }: TestBed,
  statuses: readonly number[],
): Promise<Tenant> {
  const { tenantId, key } = await createFirstTenant(pool);
  return {
    id: tenantId,
    url,
    key,
    client: createClient(url, key),
    plans,
    statuses,
    faults: new Faults(),
    sent: [],
    rejections: new Set(),
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await owner.query<Row>(text, values)).rows,
    tenantSql: async (text) =>
      await asTenant(pool, tenantId, async (client) => (await client.query(text)).rows),
  };
}

/** Uploads like a pipeline: retries if the upload has an Idempotency-Key. Resolves with the job ID. */
export async function send(tenant: Tenant, plan: PlannedUpload): Promise<string | undefined> {
  const { url, key, faults, sent, statuses } = tenant;
  const number = sent.length;
  for (let requests = 1; requests <= ATTEMPTS; requests++) {
    const response = await postUpload(url, key, plan);
    if (response?.id !== undefined) {
      sent.push({
        number,
        outcome: { type: 'accepted', id: response.id },
        requests,
        replayed: response.replayed,
      });
      return response.id;
    }
    const outcome = response === undefined ? 'no response' : `${response.status} ${response.code}`;
    tenant.rejections.add(outcome);
    if (response === undefined || !statuses.includes(response.status))
      faults.add(`${plan.fileName} got ${outcome}`);
    if (plan.idempotencyKey === undefined) {
      sent.push({
        number,
        outcome: response === undefined ? { type: 'unknown' } : { type: 'rejected', status: response.status },
        requests,
        replayed: false,
      });
      return undefined;
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`${plan.fileName} was never accepted`);
}

/** Repeats a request until the response has one of these statuses. The fault must explain any other status. */
export async function request<Response extends { readonly status: number }>(
  { faults, rejections, statuses }: Tenant,
  label: string,
  expected: readonly number[],
  send: () => Promise<Response>,
): Promise<Response> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const response = await send();
    if (expected.includes(response.status)) return response;
    rejections.add(`${label}: ${response.status}`);
    if (!statuses.includes(response.status)) faults.add(`${label} returned ${response.status}`);
    await sleep(RETRY_MS);
  }
  throw new Error(`${label} never succeeded`);
}

/** Repeats an operator command until it succeeds. */
export async function repeatUntilSuccess<Result>(
  { rejections }: Tenant,
  label: string,
  command: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await command();
    } catch (error) {
      rejections.add(`${label}: ${String(error)}`);
      if (attempt === COMMAND_ATTEMPTS) throw error;
      // PostgreSQL takes a moment to release the locks of a lost session.
      await sleep(COMMAND_DELAY_MS);
    }
  }
}

/** Waits until the job ends. Sends lost notifications again, instead of waiting for the next poll. */
export async function jobEnd(tenant: Tenant, id: string): Promise<void> {
  await recovered(
    `the end of job ${id}`,
    async () => {
      const rows = await tenant.sql(
        'select from ingestions where tenant_id = $1 and id = $2 and completed_at is not null',
        [tenant.id, id],
      );
      return rows.length > 0;
    },
    () => tenant.sql(`notify ${FRAMES_CHANNEL}`),
  );
}

/** Polls until the condition is true. `nudge` regularly triggers work that otherwise runs on a schedule. */
export async function recovered(
  label: string,
  isRecovered: () => Promise<boolean>,
  nudge?: () => Promise<unknown>,
): Promise<void> {
  const from = performance.now();
  for (let nudgedAt = from, now = from; now - from < RECOVERY_MS; now = performance.now()) {
    if (await isRecovered()) return;
    if (now - nudgedAt > NUDGE_MS) {
      await nudge?.();
      nudgedAt = now;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`${label} did not happen within ${RECOVERY_MS / 1000} s`);
}
