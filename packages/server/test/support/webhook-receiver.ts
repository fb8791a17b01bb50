import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ApiResponse, Client } from './client.ts';
import { until } from './until.ts';

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to a request. */
type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** An HTTP server that receives webhooks. */
export interface WebhookReceiver {
  readonly url: string;
  /** All requests, in the order in which they were received. */
  readonly requests: readonly ReceivedRequest[];
  /** The most requests that were open at the same time. */
  readonly mostAtOnce: () => number;
  /** How to respond to all further requests; at first, with status 200. */
  readonly respondWith: (respond: Respond) => void;
  /** Waits for the request with this index, starting at 0. */
  readonly request: (at: number) => Promise<ReceivedRequest>;
  readonly close: () => Promise<void>;
}

/** Starts a receiver on this host. */
export async function startReceiver(host = '127.0.0.1'): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  let respond: Respond = (response) => response.end('received');
  let open = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open);
    response.on('close', () => open--);
    const { method, url: path, headers } = request;
    const received = { method, path, headers, body: await text(request) };
    requests.push(received);
    respond(response, received);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // The open server must not keep a failed test file running.
  server.unref();
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    url: `http://${host}:${address.port}`,
    requests,
    mostAtOnce: () => most,
    respondWith: (next) => {
      respond = next;
    },
    request: (at) => until(async () => requests[at]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Responds with this status. */
export function withStatus(status: number, headers: Readonly<Record<string, string>> = {}): Respond {
  return (response) => response.writeHead(status, headers).end(`status ${status}`);
}

/** Verifies a request with the library of Standard Webhooks, and returns its payload. Throws if no signature is valid. */
export function verified({ headers, body }: ReceivedRequest, secret: string): unknown {
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return new Webhook(secret).verify(body, texts);
}

export interface WebhookAttributes {
  readonly url: string;
  readonly description: string | null;
  readonly format: string;
  readonly events: readonly string[];
  readonly provider_ids: readonly string[] | null;
  readonly enabled: boolean;
  readonly disabled_at: string | null;
  readonly disabled_reason: string | null;
  readonly previous_secret_expires_at: string | null;
  readonly inserted_at: string;
  /** Only in the response that creates it. */
  readonly secret?: string;
}

export interface WebhookObject {
  readonly type: string;
  readonly id: string;
  readonly attributes: WebhookAttributes;
  readonly links: { readonly self: string };
}

export interface DeliveryObject {
  readonly type: string;
  readonly id: string;
  readonly attributes: {
    readonly event_id: string;
    readonly event_type: string;
    readonly status: string;
    readonly attempts: number;
    readonly payload: string;
    readonly inserted_at: string;
    readonly last_attempt_at: string | null;
    readonly next_attempt_at: string | null;
    readonly response_status: number | null;
    readonly response_body: string | null;
    readonly error: string | null;
  };
  readonly relationships: { readonly webhook: { readonly data: { readonly id: string } } };
}

/** All events that a webhook can receive. */
const EVENTS = ['ingestion.completed', 'ingestion.failed', 'provider.created'];

/** Requests a webhook; by default, for all events. */
export function postWebhook(
  as: Client,
  attributes: { readonly url: string; readonly [name: string]: unknown },
): Promise<ApiResponse<WebhookObject>> {
  return as.document('POST', '/webhooks', {
    type: 'webhooks',
    attributes: { events: EVENTS, ...attributes },
  });
}

/** Creates a webhook, and returns its id and its secret. */
export async function makeWebhook(
  ...asked: Parameters<typeof postWebhook>
): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body } = await postWebhook(...asked);
  assert.equal(status, 201, JSON.stringify(body));
  const { id, attributes } = body.data;
  return { id, secret: attributes.secret ?? '' };
}

export function patchWebhook(
  as: Client,
  id: string,
  attributes: object,
): Promise<ApiResponse<WebhookObject>> {
  return as.document('PATCH', `/webhooks/${id}`, { type: 'webhooks', id, attributes });
}

/** Deletes all webhooks of a tenant with their deliveries. */
export async function deleteWebhooks(as: Client): Promise<void> {
  const { body } = await as.get<readonly WebhookObject[]>('/webhooks');
  for (const { id } of body.data) await as.delete(`/webhooks/${id}`);
}

export function post<Data>(as: Client, path: string): Promise<ApiResponse<Data>> {
  return as.send<Data>(path, { method: 'POST' });
}

/** The attributes of a webhook. */
export async function readWebhook(as: Client, id: string): Promise<WebhookAttributes> {
  return (await as.get<WebhookObject>(`/webhooks/${id}`)).body.data.attributes;
}

/** The newest 100 deliveries of a webhook, newest first. */
export async function listDeliveries(as: Client, id: string, query = ''): Promise<readonly DeliveryObject[]> {
  return (await as.get<readonly DeliveryObject[]>(`/webhooks/${id}/deliveries?page[size]=100&${query}`)).body
    .data;
}

/** Waits until the newest delivery of a webhook meets the condition, and returns it. */
export async function deliveryWith(
  as: Client,
  id: string,
  meets: (attributes: DeliveryObject['attributes']) => boolean,
): Promise<DeliveryObject> {
  return await until(async () => {
    const [newest] = await listDeliveries(as, id);
    return newest !== undefined && meets(newest.attributes) ? newest : undefined;
  });
}

/**
 * Creates a webhook with a previous secret and a delivery that has ended, and which sends no further events. The URL must
 * not be reachable.
 */
export async function makeEndedWebhook(
  as: Client,
  attributes: Parameters<typeof postWebhook>[1],
): Promise<void> {
  const { id } = await makeWebhook(as, attributes);
  await post(as, `/webhooks/${id}/rotate-secret`);
  await post(as, `/webhooks/${id}/test`);
  await deliveryWith(as, id, ({ attempts }) => attempts > 0);
  await patchWebhook(as, id, { enabled: false });
}
