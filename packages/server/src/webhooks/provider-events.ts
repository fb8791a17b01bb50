import type { Queryable } from '../db/transaction.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import type { EventData } from './event-types.ts';
import { findSubscribers, recordEvents } from './record-events.ts';

const TYPE = 'provider.created';

/**
 * Records an event for each new provider, in the transaction that creates them. `publicUrl` is the base URL for links, if
 * it is known. A webhook receives the event whatever its providers, because a new one cannot be among them.
 */
export async function recordNewProviders(
  client: Queryable,
  tenantId: string,
  providers: readonly Omit<EventData<typeof TYPE>, 'links'>[],
  publicUrl: string | undefined,
): Promise<void> {
  if (providers.length === 0) return;
  const subscribers = await findSubscribers(client, tenantId, [TYPE]);
  if (subscribers.length === 0) return;
  const events = providers.map((provider) => {
    const data = {
      ...provider,
      ...(publicUrl !== undefined && {
        links: {
          self: `${publicUrl}${API_PREFIX}/providers/${provider.id}`,
          console: `${publicUrl}/providers`,
        },
      }),
    };
    return { time: provider.inserted_at, data, subscribers };
  });
  await recordEvents(client, tenantId, TYPE, events);
}
