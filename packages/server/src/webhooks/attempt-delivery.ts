import type { Logger } from 'pino';
import { type Queryable, setTenant } from '../db/transaction.ts';
import { SERVICE_VERSION } from '../lib/version.ts';
import type { WebhookMetrics } from '../observability/metrics/webhook-metrics.ts';
import { type ClaimedDelivery, dequeueDelivery, rescheduleDelivery } from './delivery-queue.ts';
import { type DisabledReason, disableWebhook, endPendingDeliveries, lockWebhook } from './disable-webhook.ts';
import { retryDelay } from './retry-schedule.ts';
import { sign } from './secrets.ts';
import { RequestFailed, sendRequest, type WebhookResponse } from './send-request.ts';

export interface AttemptDependencies {
  readonly allowsPrivateAddresses: boolean;
  readonly log: Logger;
  readonly metrics: WebhookMetrics;
  /** Aborts the request. The attempt is then not counted. */
  readonly signal: AbortSignal;
}

/** A pending delivery, and where to send it. */
interface PendingDelivery {
  readonly eventId: string;
  readonly payload: string;
  readonly url: string;
  readonly secrets: readonly string[];
  /** Whether the webhook was disabled while a job recorded the event. */
  readonly isDisabled: boolean;
}

/** The result of a request: a response, or why there is none. */
interface AttemptResult {
  readonly response: WebhookResponse | undefined;
  readonly error: string | null;
}

const GONE = 410;
/** RFC 9110, section 15.4: the other statuses from 300 to 399 are not redirects to a single location. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a claimed delivery once and stores the result, in the open transaction; the caller commits. If the process is
 * killed in between, another one sends the delivery again with the same id. Throws if the database fails or the signal
 * fires; the caller then rolls back.
 */
export async function attemptDelivery(
  client: Queryable,
  claim: ClaimedDelivery,
  { allowsPrivateAddresses, log, metrics, signal }: AttemptDependencies,
): Promise<void> {
  const { tenantId } = claim;
  await setTenant(client, tenantId);
  const delivery = await findPending(client, claim);
  if (delivery === undefined) {
    await dequeueDelivery(client, claim);
    return;
  }
  if (delivery.isDisabled) {
    await endDisabled(client, claim);
    return;
  }
  const { url, payload, eventId, secrets } = delivery;
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Sluice/${SERVICE_VERSION}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id: eventId, timestamp, body: payload }, secrets),
  };
  const result = await send({ url, headers, body: payload, allowsPrivateAddresses, signal });
  const status = result.response?.status;
  if (isSuccess(status)) {
    await storeResult(client, claim, 'delivered', null, result);
    await dequeueDelivery(client, claim);
    metrics.attempted('delivered');
    return;
  }
  const disabled = await storeFailure(client, claim, result);
  metrics.attempted('failed');
  if (disabled === undefined) return;
  metrics.disabled(disabled);
  // Without the URL, which can be a secret.
  log.warn({ tenantId, webhookId: claim.webhookId, reason: disabled, status }, 'a webhook was disabled');
}

/** Returns the delivery unless it has ended or its webhook was deleted. */
async function findPending(
  client: Queryable,
  { tenantId, deliveryId }: ClaimedDelivery,
): Promise<PendingDelivery | undefined> {
  const { rows } = await client.query<PendingDelivery>(
    `select d.event_id as "eventId", d.payload, w.url, w.disabled_at is not null as "isDisabled",
       case when w.previous_secret_expires_at > statement_timestamp() then array[w.secret, w.previous_secret]
         else array[w.secret] end as secrets
     from webhook_deliveries d join webhooks w on w.tenant_id = $1 and w.id = d.webhook_id
     where d.tenant_id = $1 and d.id = $2 and d.status = 'pending'`,
    [tenantId, deliveryId],
  );
  return rows[0];
}

/** Ends the delivery of a disabled webhook. If it was enabled again in the meantime, the delivery remains pending. */
async function endDisabled(client: Queryable, claim: ClaimedDelivery): Promise<void> {
  const { tenantId, webhookId } = claim;
  const webhook = await lockWebhook(client, tenantId, webhookId);
  if (webhook?.isEnabled !== false) return;
  await endPendingDeliveries(client, tenantId, webhookId);
  await dequeueDelivery(client, claim);
}

async function send(request: Parameters<typeof sendRequest>[0]): Promise<AttemptResult> {
  try {
    const response = await sendRequest(request);
    return { response, error: REDIRECTS.has(response.status) ? 'Redirects are not followed.' : null };
  } catch (error) {
    if (error instanceof RequestFailed) return { response: undefined, error: error.message };
    throw error;
  }
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/**
 * Stores a failed attempt, and schedules the next one. After the last one, or if the receiver returns 410, disables the
 * webhook and returns the reason.
 */
async function storeFailure(
  client: Queryable,
  claim: ClaimedDelivery,
  result: AttemptResult,
): Promise<DisabledReason | undefined> {
  const { tenantId, webhookId, deliveryId } = claim;
  const webhook = await lockWebhook(client, tenantId, webhookId);
  const { rows } = await client.query<{ failures: number }>(
    'select failures + 1 as failures from webhook_deliveries where tenant_id = $1 and id = $2',
    [tenantId, deliveryId],
  );
  const [delivery] = rows;
  const isGone = result.response?.status === GONE;
  const delayMs = isGone || delivery === undefined ? undefined : retryDelay(delivery.failures);
  if (delayMs !== undefined && webhook?.isEnabled === true) {
    await storeResult(client, claim, 'pending', delayMs, result);
    await rescheduleDelivery(client, claim, delayMs);
    return undefined;
  }
  await storeResult(client, claim, 'failed', null, result);
  await dequeueDelivery(client, claim);
  if (webhook?.isEnabled !== true) return undefined;
  const reason = isGone ? 'gone' : 'failed';
  await disableWebhook(client, tenantId, webhookId, reason);
  return reason;
}

async function storeResult(
  client: Queryable,
  { tenantId, deliveryId }: ClaimedDelivery,
  status: 'pending' | 'delivered' | 'failed',
  delayMs: number | null,
  { response, error }: AttemptResult,
): Promise<void> {
  await client.query(
    `update webhook_deliveries set status = $3, attempts = attempts + 1,
       failures = case when $3 = 'delivered' then 0 else failures + 1 end, last_attempt_at = statement_timestamp(),
       next_attempt_at = statement_timestamp() + $4 * interval '1 millisecond',
       response_status = $5, response_body = $6, error = $7
     where tenant_id = $1 and id = $2`,
    [tenantId, deliveryId, status, delayMs, response?.status ?? null, response?.text ?? null, error],
  );
}
