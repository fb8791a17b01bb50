import { SEVERITIES } from '@sluice/ocsf';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { lockAccess } from '../../auth/access-changes.ts';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Call } from '../../http/endpoints/endpoint.ts';
import { assertSameId } from '../../http/endpoints/read-document.ts';
import { findExisting, resourceNotFound } from '../../http/endpoints/resource-type.ts';
import { ApiError, badRequest, notFound } from '../../jsonapi/errors.ts';
import { shortText } from '../../jsonapi/schemas.ts';
import { dequeueWebhook } from '../../webhooks/delivery-queue.ts';
import { disableWebhook, lockWebhook } from '../../webhooks/disable-webhook.ts';
import { SUBSCRIBABLE_EVENTS } from '../../webhooks/event-types.ts';
import { FORMATS } from '../../webhooks/record-events.ts';
import { createSecret } from '../../webhooks/secrets.ts';
import { findUrlFault, MAX_URL_LENGTH, type UrlFault } from '../../webhooks/webhook-url.ts';
import { SEVERITIES_DESCRIPTION, WEBHOOKS, type WebhookRow, webhookResourceType } from './resource.ts';

/** The most webhooks of a tenant. */
const MAX_WEBHOOKS = 20;
const MAX_PROVIDER_IDS = 100;
/** How long the previous secret also signs after a rotation. */
const PREVIOUS_SECRET_HOURS = 24;

const attributes = {
  url: z
    .string()
    .max(MAX_URL_LENGTH)
    .meta({ format: 'uri', description: 'URL that events are sent to. Starts with `https:`.' }),
  description: shortText()
    .nullable()
    .meta({ description: 'Text of your choice. `null` removes the description.' }),
  events: z.array(z.enum(SUBSCRIBABLE_EVENTS)).min(1).meta({ description: 'Types of events that are sent.' }),
  provider_ids: z.array(z.uuid()).min(1).max(MAX_PROVIDER_IDS).nullable().meta({
    description:
      'IDs of providers. Events of ingestions and scans are sent if they have findings of one of them. `null` for all. Other events are sent in any case.',
  }),
  severities: z.array(z.enum(SEVERITIES)).min(1).nullable().meta({ description: SEVERITIES_DESCRIPTION }),
};

/** The request document for creating a webhook. */
export const newWebhook = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(WEBHOOKS),
      attributes: z.strictObject({
        url: attributes.url,
        events: attributes.events,
        description: attributes.description.optional(),
        format: z.enum(FORMATS).optional().meta({
          description:
            '`standard` for the format of Standard Webhooks, `slack` for that of incoming webhooks of Slack. Defaults to `standard`, and cannot be changed later.',
        }),
        provider_ids: attributes.provider_ids.optional(),
        severities: attributes.severities.optional(),
      }),
    }),
  })
  .meta({ id: 'NewWebhook', description: 'The webhook to create.' });

/** The request document for updating a webhook. */
export const webhookChanges = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(WEBHOOKS),
      id: z.uuid(),
      attributes: z
        .strictObject({
          ...attributes,
          enabled: z.boolean().meta({
            description:
              'Whether events are sent. `false` also ends all pending deliveries. `true` enables a webhook that was disabled for any reason.',
          }),
        })
        .partial()
        .optional(),
    }),
  })
  .meta({ id: 'WebhookChanges', description: 'Changes to a webhook. Absent members remain unchanged.' });

export type NewWebhook = z.infer<typeof newWebhook>;
export type WebhookChanges = z.infer<typeof webhookChanges>;

/** A webhook with its new secret. */
export interface WebhookWithSecret {
  readonly row: WebhookRow;
  readonly secret: string;
}

/**
 * Creates a webhook. Throws an ApiError: 400 for an invalid URL, 404 for an unknown provider, 422 for an address that is
 * not allowed or if the tenant has too many webhooks.
 */
export async function createWebhook(
  client: Queryable,
  call: Call,
  { data }: NewWebhook,
  allowsPrivateAddresses: boolean,
): Promise<WebhookWithSecret> {
  const { tenantId } = call.access;
  const { description = null, format = 'standard', provider_ids = null } = data.attributes;
  const severities = distinct(data.attributes.severities ?? null);
  const url = readUrl(data.attributes.url, allowsPrivateAddresses);
  const events = [...new Set(data.attributes.events)];
  await lockAccess(client, tenantId);
  await assertBelowLimit(client, tenantId);
  const providerIds = await existingProviders(client, tenantId, provider_ids);
  const id = uuidv7();
  const secret = createSecret();
  await client.query(
    `insert into webhooks (tenant_id, id, url, description, format, events, provider_ids, severities, secret)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [tenantId, id, url.href, description, format, events, providerIds, severities, secret],
  );
  await recordAuditEvent(client, call, {
    action: 'webhook.created',
    targetType: WEBHOOKS,
    targetId: id,
    // The path of a URL can be a secret.
    changes: { host: url.host, description, format, events, provider_ids: providerIds, severities },
  });
  return { row: await findExisting(webhookResourceType, client, tenantId, id), secret };
}

/** Updates a webhook. Throws the same errors as `createWebhook`. */
export async function updateWebhook(
  client: Queryable,
  call: Call,
  { data }: WebhookChanges,
  allowsPrivateAddresses: boolean,
): Promise<WebhookRow> {
  const { tenantId } = call.access;
  const present = await lockExisting(client, call);
  const { id, enabled: wasEnabled } = present;
  assertSameId(data.id, id);
  const { url: urlText, description, events, provider_ids, severities, enabled } = data.attributes ?? {};
  const url = urlText === undefined ? undefined : readUrl(urlText, allowsPrivateAddresses);
  const changes = {
    ...(description !== undefined && { description }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(provider_ids !== undefined && {
      provider_ids: await existingProviders(client, tenantId, provider_ids, present.provider_ids ?? []),
    }),
    ...(severities !== undefined && { severities: distinct(severities) }),
  };
  for (const [column, value] of Object.entries({ ...changes, ...(url !== undefined && { url: url.href }) }))
    await client.query(`update webhooks set ${column} = $3 where tenant_id = $1 and id = $2`, [
      tenantId,
      id,
      value,
    ]);
  if (enabled === true && !wasEnabled)
    await client.query(
      'update webhooks set disabled_at = null, disabled_reason = null where tenant_id = $1 and id = $2',
      [tenantId, id],
    );
  if (enabled === false && wasEnabled) await disableWebhook(client, tenantId, id, 'user');
  const recorded = {
    ...(url !== undefined && { host: url.host }),
    ...changes,
    ...(enabled !== undefined && enabled !== wasEnabled && { enabled }),
  };
  if (Object.keys(recorded).length > 0)
    await recordAuditEvent(client, call, {
      action: 'webhook.updated',
      targetType: WEBHOOKS,
      targetId: id,
      changes: recorded,
    });
  return await findExisting(webhookResourceType, client, tenantId, id);
}

/** Deletes a webhook and its deliveries. A delivery that is being sent is not stopped. */
export async function removeWebhook(client: Queryable, call: Call): Promise<void> {
  const { tenantId } = call.access;
  const { id, url } = await findExisting(webhookResourceType, client, tenantId, call.params.id);
  await recordAuditEvent(client, call, {
    action: 'webhook.deleted',
    targetType: WEBHOOKS,
    targetId: id,
    changes: { host: new URL(url).host },
  });
  await client.query('delete from webhooks where tenant_id = $1 and id = $2', [tenantId, id]);
  await dequeueWebhook(client, tenantId, id);
}

/** Creates a new secret. The present one also signs for a day, so that the receiver can be changed in the meantime. */
export async function rotateSecret(client: Queryable, call: Call): Promise<WebhookWithSecret> {
  const { tenantId } = call.access;
  const { id } = await lockExisting(client, call);
  const secret = createSecret();
  await client.query(
    `update webhooks set secret = $3, previous_secret = secret,
       previous_secret_expires_at = statement_timestamp() + $4 * interval '1 hour'
     where tenant_id = $1 and id = $2`,
    [tenantId, id, secret, PREVIOUS_SECRET_HOURS],
  );
  await recordAuditEvent(client, call, {
    action: 'webhook.secret_rotated',
    targetType: WEBHOOKS,
    targetId: id,
  });
  return { row: await findExisting(webhookResourceType, client, tenantId, id), secret };
}

/** Returns the webhook in the path, and locks it. Throws an ApiError (404). */
async function lockExisting(client: Queryable, call: Call): Promise<WebhookRow> {
  const { tenantId } = call.access;
  const { id } = await findExisting(webhookResourceType, client, tenantId, call.params.id);
  await lockWebhook(client, tenantId, id);
  return await findExisting(webhookResourceType, client, tenantId, id);
}

/** Throws an ApiError (409) unless the webhook is enabled. It stays enabled until the open transaction ends. */
export async function assertEnabled(client: Queryable, tenantId: string, id: string): Promise<void> {
  const webhook = await lockWebhook(client, tenantId, id);
  if (webhook === undefined) throw resourceNotFound(webhookResourceType);
  if (webhook.isEnabled) return;
  throw new ApiError({
    status: 409,
    code: 'webhook_disabled',
    detail: `The webhook is disabled. Enable it first, with PATCH /api/v1/webhooks/${id}.`,
  });
}

async function assertBelowLimit(client: Queryable, tenantId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from webhooks where tenant_id = $1',
    [tenantId],
  );
  if ((rows[0]?.count ?? 0) < MAX_WEBHOOKS) return;
  throw new ApiError({
    status: 422,
    code: 'too_many_webhooks',
    detail: `A tenant can have ${MAX_WEBHOOKS} webhooks. Delete one first.`,
    meta: { limit: 'webhooks', max: MAX_WEBHOOKS },
  });
}

function distinct<Value>(values: readonly Value[] | null): readonly Value[] | null {
  return values && [...new Set(values)];
}

/**
 * Returns the distinct ids. Throws an ApiError (404) for an id of no live provider, unless the webhook already has it
 * (`present`): a client can send back what it has read, even if a provider was deleted in the meantime.
 */
async function existingProviders(
  client: Queryable,
  tenantId: string,
  requested: readonly string[] | null,
  present: readonly string[] = [],
): Promise<readonly string[] | null> {
  if (requested === null) return null;
  const ids = requested.map((id) => id.toLowerCase());
  const { rows } = await client.query<{ id: string }>(
    'select id from providers where tenant_id = $1 and id = any($2::uuid[]) and deleted_at is null',
    [tenantId, ids],
  );
  const known = new Set([...rows.map(({ id }) => id), ...present]);
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown !== -1)
    throw notFound('No provider has this ID.', { pointer: `/data/attributes/provider_ids/${unknown}` });
  return [...new Set(ids)];
}

const URL_SOURCE = { pointer: '/data/attributes/url' };

const invalidUrl = (schemes: string): Readonly<Record<Exclude<UrlFault, 'address'>, string>> => ({
  not_a_url: 'The value is not a URL.',
  scheme: `The URL must start with ${schemes}.`,
  credentials: 'The URL must not contain a user name or a password.',
});

/** Throws an ApiError: 400 for an invalid URL, 422 for the address of a host that is not public. */
function readUrl(text: string, allowsPrivateAddresses: boolean): URL {
  const fault = findUrlFault(text, allowsPrivateAddresses);
  if (fault === undefined) return new URL(text);
  if (fault !== 'address') {
    const sentences = invalidUrl(allowsPrivateAddresses ? 'https: or http:' : 'https:');
    throw badRequest('invalid_document', sentences[fault], URL_SOURCE);
  }
  throw new ApiError({
    status: 422,
    code: 'address_not_allowed',
    detail:
      'The host is not a public address. Use a public one; only the operator of the service can allow others.',
    source: URL_SOURCE,
  });
}
