import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { asTenant } from '../../src/db/transaction.ts';
import { WAKE_CHANNEL } from '../../src/db/wake-channel.ts';
import { createFirstTenant } from '../../src/first-start.ts';
import { Faults } from '../kill/faults.ts';
import type { PlannedUpload } from '../kill/planned-upload.ts';
import { postUpload } from '../kill/post-upload.ts';
import type { SentUpload } from '../kill/uploader.ts';
import { type Client, createClient } from '../support/client.ts';
import type { ScenarioUploads } from './scenario-uploads.ts';
import type { Stage } from './stage.ts';

/**
 * How long recovery may take, in milliseconds. Retry pauses are cut short; but the removal of a provider waits for all transactions
 * that write to the cluster, and other tests of the run restore a million rows in one.
 */
const RECOVERY_MS = 180_000;
const POLL_MS = 5;
const HELP_MS = 250;
const RETRY_MS = 5;
const ATTEMPTS = 20;

/** A tenant that is made for one run of the scenario, and what its client knows. */
export interface Tenant {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly client: Client;
  readonly plans: ScenarioUploads;
  readonly faults: Faults;
  readonly sent: SentUpload[];
  /** Statuses that a request may be refused with while a fault is injected. */
  readonly statuses: readonly number[];
  /** Responses to failed requests. */
  readonly refusals: Set<string>;
  /** As the owner of the database, without passing by the injected faults. */
  readonly sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  /** Sees the rows of this tenant only. */
  readonly ownSql: (text: string) => Promise<unknown[]>;
}

export async function createTenant(
  { owner, pool, service: { url }, plans }: Stage,
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
    refusals: new Set(),
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await owner.query<Row>(text, values)).rows,
    ownSql: async (text) => await asTenant(pool, tenantId, async (client) => (await client.query(text)).rows),
  };
}

/** Uploads as a pipeline does: again and again where there is an Idempotency-Key. Resolves with the job's id. */
export async function send(tenant: Tenant, plan: PlannedUpload): Promise<string | undefined> {
  const { url, key, faults, sent, statuses } = tenant;
  const number = sent.length;
  for (let requests = 1; requests <= ATTEMPTS; requests++) {
    const answer = await postUpload(url, key, plan);
    if (answer?.id !== undefined) {
      sent.push({
        number,
        outcome: { kind: 'accepted', id: answer.id },
        requests,
        replayed: answer.replayed,
      });
      return answer.id;
    }
    const outcome = answer === undefined ? 'no response' : `${answer.status} ${answer.code}`;
    tenant.refusals.add(outcome);
    if (answer === undefined || !statuses.includes(answer.status))
      faults.add(`${plan.fileName} got ${outcome}`);
    if (plan.idempotencyKey === undefined) {
      sent.push({
        number,
        outcome: answer === undefined ? { kind: 'unknown' } : { kind: 'refused', status: answer.status },
        requests,
        replayed: false,
      });
      return undefined;
    }
    await sleep(RETRY_MS);
  }
  throw new Error(`${plan.fileName} was never accepted`);
}

/** Repeats a request until it gets one of these statuses; any other must be a failure that a fault explains. */
export async function request<Answer extends { readonly status: number }>(
  { faults, refusals, statuses }: Tenant,
  what: string,
  expected: readonly number[],
  make: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await make();
    if (expected.includes(answer.status)) return answer;
    refusals.add(`${what}: ${answer.status}`);
    if (!statuses.includes(answer.status)) faults.add(`${what} got ${answer.status}`);
    await sleep(RETRY_MS);
  }
  throw new Error(`${what} never succeeded`);
}

/** Waits until the job has ended. A lost notification is made up for, as polling would do some seconds later. */
export async function jobEnd(tenant: Tenant, id: string): Promise<void> {
  await recovered(
    `the end of the job ${id}`,
    async () => {
      const rows = await tenant.sql(
        'select from ingestions where tenant_id = $1 and id = $2 and completed_at is not null',
        [tenant.id, id],
      );
      return rows.length > 0;
    },
    () => tenant.sql(`notify ${WAKE_CHANNEL}`),
  );
}

/** Polls until it is so. `help` is what time would bring about, too: it is done once in a while. */
export async function recovered(
  what: string,
  isSo: () => Promise<boolean>,
  help?: () => Promise<unknown>,
): Promise<void> {
  const from = performance.now();
  for (let helped = from, now = from; now - from < RECOVERY_MS; now = performance.now()) {
    if (await isSo()) return;
    if (now - helped > HELP_MS) {
      await help?.();
      helped = now;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`${what}: not within ${RECOVERY_MS / 1000} s`);
}
