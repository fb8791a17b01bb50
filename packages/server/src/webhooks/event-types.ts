import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { timestamp } from '../jsonapi/schemas.ts';
import { MAX_LISTED_FINDINGS, MAX_LISTED_PROVIDERS } from './event-limits.ts';

interface EventDescription {
  /** Name of the schema of the payload in the API description. */
  readonly schemaName: string;
  readonly description: string;
}

const count = z.int().min(0);
const links = z
  .strictObject({
    self: z.url().meta({ description: 'URL of the resource in this API.' }),
    console: z.url().meta({ description: 'URL of the page in the console.' }),
  })
  .optional()
  .meta({
    description:
      'Absent if `SLUICE_PUBLIC_URL` is not set and the process that recorded the event has no API.',
  });

const provider = {
  id: z.uuid().meta({ description: 'ID of the provider.' }),
  type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
  account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
  name: z.string().nullable().meta({ description: 'Account name. `null` if the records have none.' }),
};

const ingestion = z.strictObject({
  id: z.uuid().meta({ description: 'ID of the ingestion.' }),
  status: z.enum(['completed', 'failed']).meta({ description: 'Status of the ingestion.' }),
  file_name: z
    .string()
    .nullable()
    .meta({ description: 'Name of the uploaded file. `null` if the upload has none.' }),
  labels: z.record(z.string(), z.string()).meta({ description: 'Labels of the upload, by key.' }),
  summary: z
    .strictObject({
      total: count.meta({ description: 'Number of records in the file.' }),
      processed: count.meta({ description: 'Number of processed records, valid or not.' }),
      invalid: count.meta({ description: 'Number of rejected records.' }),
    })
    .meta({ description: 'Counts of records.' }),
  errors: z
    .record(z.string(), z.int())
    .meta({ description: 'Number of errors in the file and its records, by error code.' }),
  warnings: count.meta({ description: 'Number of warnings about ingested records.' }),
  requested_at: timestamp.meta({ description: 'Time at which the upload was accepted.' }),
  completed_at: timestamp.meta({ description: 'Time at which the ingestion ended.' }),
  providers: z
    .array(z.strictObject(provider))
    .max(MAX_LISTED_PROVIDERS)
    .meta({
      description: `Providers with findings in the upload, at most ${MAX_LISTED_PROVIDERS}, sorted by ID.`,
    }),
  provider_count: count.meta({ description: 'Number of providers with findings in the upload.' }),
  links,
});

const bySeverity = (description: string) => z.record(z.enum(SEVERITIES), count).meta({ description });

const listedFinding = z.strictObject({
  id: z.uuid().meta({ description: 'ID of the finding.' }),
  change: z.enum(['new', 'reopened', 'regressed']).meta({ description: 'How the scan changed the finding.' }),
  severity: z.string().meta({ description: 'Severity of the finding.' }),
  check_id: z.string().meta({ description: 'Check ID assigned by the scanner.' }),
  check_title: z.string().nullable().meta({ description: 'Title of the check.' }),
  resource: z
    .strictObject({
      uid: z.string().nullable().meta({ description: 'Resource ID assigned by the provider.' }),
      name: z.string().nullable().meta({ description: 'Name of the resource.' }),
    })
    .meta({ description: 'The resource that was checked.' }),
  links,
});

const scan = z.strictObject({
  id: z.uuid().meta({ description: 'ID of the scan.' }),
  uid: z
    .string()
    .nullable()
    .meta({ description: 'Scan ID in the records. `null` if the records have none.' }),
  ingestion_id: z.uuid().meta({ description: 'ID of the ingestion.' }),
  provider: z.strictObject(provider).meta({ description: 'The provider of the scan.' }),
  ended_at: timestamp.meta({ description: 'Time of the latest record.' }),
  new: bySeverity('Findings that had not been seen before.'),
  reopened: bySeverity('Findings that were resolved before.'),
  regressed: bySeverity('Findings whose status changed to FAIL.'),
  fixed: bySeverity('Findings whose status changed from FAIL to PASS.'),
  resolved: bySeverity('Findings that the upload is complete for, but does not contain.'),
  worst: z
    .array(listedFinding)
    .max(MAX_LISTED_FINDINGS)
    .meta({
      description: `The most severe findings that are new, reopened or regressed, have the status FAIL and are not muted, at most ${MAX_LISTED_FINDINGS}.`,
    }),
  links,
});

/** Schemas of the member `data` of the payload, by type of event. */
const DATA = {
  'ingestion.completed': ingestion,
  'ingestion.failed': ingestion,
  'scan.changed': scan,
  'provider.created': z.strictObject({
    ...provider,
    inserted_at: timestamp.meta({ description: 'Time at which the provider was created.' }),
    links,
  }),
  'webhook.test': z.strictObject({
    webhook_id: z.uuid().meta({ description: 'ID of the webhook.' }),
  }),
};

type DataByType = { readonly [Type in keyof typeof DATA]: z.infer<(typeof DATA)[Type]> };

export type EventType = keyof DataByType;
export type EventData<Type extends EventType> = DataByType[Type];

/**
 * All types of events. To add one, add its schema and its entry here and its message in slack-messages.ts, and call
 * `recordEvents` where it occurs.
 */
const EVENT_TYPES: Readonly<Record<EventType, EventDescription>> = {
  'ingestion.completed': {
    schemaName: 'IngestionCompletedEvent',
    description: 'An ingestion has ended, and all of its records are valid.',
  },
  'ingestion.failed': {
    schemaName: 'IngestionFailedEvent',
    description:
      'An ingestion has ended, and its file or some of its records are invalid. Valid records are still ingested.',
  },
  'scan.changed': {
    schemaName: 'ScanChangedEvent',
    description:
      'An ingestion has ended, and a scan in it has new, reopened, regressed, fixed or resolved findings. One event per scan.',
  },
  'provider.created': {
    schemaName: 'ProviderCreatedEvent',
    description: 'The first findings of an account were uploaded.',
  },
  'webhook.test': {
    schemaName: 'WebhookTestEvent',
    description: 'A user requested a test. Sent to one webhook, whatever its events and providers.',
  },
};

/** The types of events that webhooks can receive. */
export const SUBSCRIBABLE_EVENTS = [
  'ingestion.completed',
  'ingestion.failed',
  'scan.changed',
  'provider.created',
] as const satisfies readonly EventType[];

/** The types of events that requests can contain, in the order of the API description. */
export const SENT_EVENTS: readonly EventType[] = [...SUBSCRIBABLE_EVENTS, 'webhook.test'];

/** The description of a type of event, and the schema of its payload. */
export function describeEvent(type: EventType): {
  readonly description: string;
  readonly payload: z.ZodType;
} {
  const { schemaName, description } = EVENT_TYPES[type];
  const payload = z
    .strictObject({
      type: z.literal(type).meta({ description: 'Type of the event.' }),
      timestamp: timestamp.meta({ description: 'Time at which the event occurred.' }),
      data: DATA[type],
    })
    .meta({ id: schemaName, description });
  return { description, payload };
}
