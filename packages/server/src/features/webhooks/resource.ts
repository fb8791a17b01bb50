import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource, type ResourceDescription, timestamp } from '../../jsonapi/schemas.ts';
import { isUuid } from '../../jsonapi/uuid.ts';
import { DISABLED_REASONS, type DisabledReason } from '../../webhooks/disable-webhook.ts';
import { SUBSCRIBABLE_EVENTS } from '../../webhooks/event-types.ts';
import { FORMATS, type Format } from '../../webhooks/record-events.ts';

export const WEBHOOKS = 'webhooks';

export const SEVERITIES_DESCRIPTION =
  'Severities. `scan.changed` is sent if the scan changed findings with one of them. `null` for all. Other events are sent in any case.';

const ATTRIBUTES = {
  url: z.url().meta({ description: 'URL that events are sent to.' }),
  description: z.string().nullable().meta({ description: 'Text of your choice. `null` if there is none.' }),
  format: z.enum(FORMATS).meta({
    description:
      '`standard` for the format of Standard Webhooks, `slack` for that of incoming webhooks of Slack.',
  }),
  events: z.array(z.enum(SUBSCRIBABLE_EVENTS)).meta({ description: 'Types of events that are sent.' }),
  provider_ids: z.array(z.uuid()).nullable().meta({
    description:
      'IDs of providers. Events of ingestions and scans are sent if they have findings of one of them. `null` for all. Other events are sent in any case.',
  }),
  severities: z.array(z.enum(SEVERITIES)).nullable().meta({ description: SEVERITIES_DESCRIPTION }),
  enabled: z.boolean().meta({ description: 'Whether events are sent.' }),
  disabled_at: timestamp
    .nullable()
    .meta({ description: 'Time at which the webhook was disabled. `null` if it is enabled.' }),
  disabled_reason: z.enum(DISABLED_REASONS).nullable().meta({
    description:
      '`user` if a user disabled the webhook, `failed` if all attempts at a delivery failed, `gone` if the receiver returned status 410. `null` if the webhook is enabled.',
  }),
  previous_secret_expires_at: timestamp.nullable().meta({
    description:
      'Time until which the previous secret also signs deliveries. `null` if there is no previous secret.',
  }),
  inserted_at: timestamp.meta({ description: 'Time at which the webhook was created.' }),
};

export const webhooks = describeResource({
  type: WEBHOOKS,
  description: 'An endpoint of yours that receives events.',
  attributes: ATTRIBUTES,
  links: ['deliveries'],
});

/** The resource that is returned when a secret is created. No other response contains the secret. */
export const webhooksWithSecret: ResourceDescription = {
  ...webhooks,
  schema: z
    .strictObject({
      type: z.literal(WEBHOOKS),
      id: z.uuid(),
      attributes: z.strictObject({
        ...ATTRIBUTES,
        secret: z.string().meta({
          description:
            'Secret that signs deliveries: `whsec_` and Base64. Store it now; it cannot be retrieved again.',
        }),
      }),
      relationships: z.strictObject({
        deliveries: z.strictObject({ links: z.strictObject({ related: z.url() }) }),
      }),
      links: z.strictObject({ self: z.url() }),
    })
    .meta({ id: 'WebhookWithSecret', description: 'A webhook, including its secret.' }),
};

/** A webhook as returned by the API, without its secrets. Times are in ISO 8601 format with microseconds and `Z`. */
export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly format: Format;
  /** As stored, including types that are unknown to this version. */
  readonly events: readonly string[];
  readonly provider_ids: readonly string[] | null;
  readonly severities: readonly string[] | null;
  readonly enabled: boolean;
  readonly disabled_at: string | null;
  readonly disabled_reason: DisabledReason | null;
  readonly previous_secret_expires_at: string | null;
  readonly inserted_at: string;
}

/** Returns the URL of a webhook. */
export function webhookUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${WEBHOOKS}/${id}`;
}

/** Converts a webhook to a resource object, without its secrets. */
export function webhookResource(row: WebhookRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const self = webhookUrl(publicUrl, row.id);
  const attributes = {
    url: row.url,
    description: row.description,
    format: row.format,
    events: SUBSCRIBABLE_EVENTS.filter((type) => row.events.includes(type)),
    provider_ids: row.provider_ids,
    severities: row.severities,
    enabled: row.enabled,
    disabled_at: row.disabled_at,
    disabled_reason: row.disabled_reason,
    previous_secret_expires_at: row.previous_secret_expires_at,
    inserted_at: row.inserted_at,
  };
  return {
    type: WEBHOOKS,
    id: row.id,
    attributes: selectFields(attributes, fields),
    relationships: { deliveries: { links: { related: `${self}/deliveries` } } },
    links: { self },
  };
}

/** An expired secret is not a previous secret, although it remains stored. */
const EXPIRY = `case when w.previous_secret_expires_at > statement_timestamp() then w.previous_secret_expires_at end`;

const COLUMNS = `w.id, w.url, w.description, w.format, w.events, w.provider_ids, w.severities, w.disabled_at is null as enabled,
  ${utcTimestamp('w.disabled_at')} as disabled_at, w.disabled_reason,
  ${utcTimestamp(EXPIRY)} as previous_secret_expires_at, ${utcTimestamp('w.created_at')} as inserted_at`;

/** Selects a page of webhooks. */
export async function listWebhooks(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<WebhookRow>> {
  const source = {
    columns: COLUMNS,
    table: 'webhooks w',
    tenantColumn: 'w.tenant_id',
    tieBreaker: { sql: 'w.id', type: 'uuid', descending: false },
  };
  return await selectPage<WebhookRow>(client, source, tenantId, query);
}

/** Returns the webhooks with these ids, in any order. Unknown ids are skipped. */
async function findWebhooksByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly WebhookRow[]> {
  const { rows } = await client.query<WebhookRow>(
    `select ${COLUMNS} from webhooks w where w.tenant_id = $1 and w.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

/** Webhooks. Requires `manage_account`. */
export const webhookResourceType: ResourceType<WebhookRow> = {
  resource: webhooks,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findWebhooksByIds,
  toResource: webhookResource,
  notFoundDetail: 'No webhook has this ID.',
};
