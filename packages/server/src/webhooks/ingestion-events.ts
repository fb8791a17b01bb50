import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { MAX_LISTED_PROVIDERS } from './event-limits.ts';
import type { EventData } from './event-types.ts';
import { findSubscribers, recordEvents } from './record-events.ts';

type IngestionData = EventData<'ingestion.completed'>;

interface IngestionRow extends Omit<IngestionData, 'summary' | 'providers' | 'provider_count' | 'links'> {
  readonly total: number;
  readonly processed: number;
  readonly invalid: number;
}

const INGESTION = `
  select i.id, i.status, i.file_name, i.labels, i.total::float8, i.processed::float8, i.invalid::float8, i.warnings::float8,
    coalesce((select jsonb_object_agg(c.code, c.count) from ingestion_error_counts c
      where c.tenant_id = $1 and c.ingestion_id = i.id), '{}') as errors,
    ${utcTimestamp('i.requested_at')} as requested_at, ${utcTimestamp('i.completed_at')} as completed_at
  from ingestions i where i.tenant_id = $1 and i.id = $2`;

/**
 * Records the event of an ingestion that has just ended, in the transaction that ends it, after its scans have been
 * stored. `publicUrl` is the base URL for links, if it is known.
 */
export async function recordIngestionEnd(
  client: Queryable,
  { tenantId, ingestionId }: { readonly tenantId: string; readonly ingestionId: string },
  publicUrl: string | undefined,
): Promise<void> {
  const subscribers = await findSubscribers(client, tenantId, ['ingestion.completed', 'ingestion.failed']);
  if (subscribers.length === 0) return;
  const { rows } = await client.query<IngestionRow>(INGESTION, [tenantId, ingestionId]);
  const [row] = rows;
  if (row === undefined) throw new Error(`ingestion ${ingestionId} of an event does not exist`);
  const type = `ingestion.${row.status}` as const;
  const providerIds = await findProviderIds(client, tenantId, ingestionId);
  const receivers = subscribers.filter(
    ({ events, providerIds: wanted }) =>
      events.includes(type) && (wanted === null || wanted.some((id) => providerIds.includes(id))),
  );
  if (receivers.length === 0) return;
  const { total, processed, invalid, ...attributes } = row;
  const listed = providerIds.slice(0, MAX_LISTED_PROVIDERS);
  const data: IngestionData = {
    ...attributes,
    summary: { total, processed, invalid },
    providers: await findProviders(client, tenantId, listed),
    provider_count: providerIds.length,
    ...(publicUrl !== undefined && {
      links: {
        self: `${publicUrl}${API_PREFIX}/ingestions/${row.id}`,
        console: `${publicUrl}/ingestions/${row.id}`,
      },
    }),
  };
  await recordEvents(client, tenantId, type, [{ time: row.completed_at, data, subscribers: receivers }]);
}

/** Returns the providers with findings in the upload, sorted by id. */
async function findProviderIds(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select distinct provider_id as id from scans where tenant_id = $1 and ingestion_id = $2 order by provider_id`,
    [tenantId, ingestionId],
  );
  return rows.map(({ id }) => id);
}

/** Includes providers that have been deleted in the meantime. */
async function findProviders(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<IngestionData['providers']> {
  const { rows } = await client.query<IngestionData['providers'][number]>(
    'select id, type, account, name from providers where tenant_id = $1 and id = any($2::uuid[]) order by id',
    [tenantId, ids],
  );
  return rows;
}
