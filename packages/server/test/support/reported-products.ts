import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import { FRAMES_CHANNEL } from '../../src/db/notifications.ts';
import type { Row } from './administration.ts';
import { type ApiDocument, type Client, createClient, type Resource } from './client.ts';
import type { SharedService } from './lanes.ts';
import { record } from './records.ts';
import { until } from './until.ts';

interface Product {
  readonly name: string;
  readonly version: string | null;
  readonly last_seen_at: string | null;
  readonly findings: { readonly total: number; readonly failing: number };
}

interface Provider {
  readonly id: string;
  readonly attributes: { readonly account: string; readonly products?: readonly Product[] };
}

const DAY = 86_400;
const EPOCH = 1_780_000_000;
/** A day in the past, in seconds since 1970. */
export const at = (day: number) => EPOCH + day * DAY;
export const iso = (day: number) => new Date(at(day) * 1000).toISOString().replace('Z', '000Z');

interface Seen {
  readonly account: string;
  readonly uid?: string;
  readonly time?: number;
  /** `null` for a record without a product. */
  readonly product?: string | null;
  readonly version?: string | undefined;
  readonly status?: string;
}

/** A record of a product. Records of different products have the same check and resource, but not the same uid. */
export function seen(seen: Seen) {
  const { account, uid = 'a', time = at(1), product = 'Old', version, status = 'FAIL' } = seen;
  return record({
    time,
    status_code: status,
    metadata: { event_code: 'check', ...(product !== null && { product: { name: product, version } }) },
    finding_info: { uid: `${uid}-${product}` },
    cloud: { provider: 'aws', account: { uid: account } },
  });
}

/** The response to a request that resolves findings. */
interface Resolution {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ApiDocument<Provider> & { readonly meta: { readonly findings?: number } };
}

export type ProductAccess = ReturnType<typeof productAccess>;

/** Reads and resolves the findings of products in a service. */
export function productAccess(service: SharedService) {
  const client = createClient(service.url, service.key);
  const listed = async (account: string, as = client): Promise<Provider> => {
    const { body } = await as.get<Provider[]>(`/providers?filter[account]=${account}`);
    return body.data[0] ?? assert.fail(`there is no provider ${account}`);
  };
  const provider = async (id: string) => (await client.get<Provider>(`/providers/${id}`)).body.data;
  /** Waits until the findings of all requests have been resolved. */
  const resolved = () => until(async () => (await service.ownerSql('select from frame_queue')).length === 0);
  return {
    client,
    listed,
    provider,
    resolved,
    idOf: async (account: string): Promise<string> => (await listed(account)).id,
    /** The products of the provider with this id. */
    of: async (id: string): Promise<readonly Product[]> => (await provider(id)).attributes.products ?? [],
    /** The findings of an account by uid: `open`, or their `resolved_at` and `resolved_by`. */
    states: async (account: string): Promise<Record<string, unknown>> => {
      const { body } = await client.get<Resource[]>(
        `/findings?filter[account]=${account}&filter[state]=open,resolved&sort=id`,
      );
      return Object.fromEntries(
        body.data.map(({ attributes: { uid, state, resolved_at }, relationships }) => [
          uid,
          state === 'open' ? state : [resolved_at, relationships.resolved_by?.data ?? null],
        ]),
      );
    },
    /** `path` is the id in the path, if it differs from the one in the document. */
    resolve: async (id: string, product: unknown, options: ResolveOptions = {}): Promise<Resolution> => {
      const { as = client, path = id, query = '' } = options;
      const data = { type: 'providers', id, attributes: { product } };
      return await as.document<Provider>('POST', `/providers/${path}/resolve${query}`, data);
    },
    /** Resolves findings as by a request at another time, in seconds since 1970. */
    resolveAt: async (id: string, product: string, time: number): Promise<void> => {
      const coverage = [service.tenantId, id, uuidv7()];
      await service.sql(
        `insert into coverages (tenant_id, provider_id, ingestion_id, id, product, check_keys, times, newest_time, is_manual, published_at)
         values ($1, $2, $3, derived_id(convert_to($4, 'UTF8')), $4, array[0], array[$5::timestamptz], $5, true, now())`,
        [...coverage, product, new Date(time * 1000)],
      );
      await service.ownerSql('insert into frame_queue (tenant_id, ingestion_id, number) values ($1, $2, 0)', [
        service.tenantId,
        coverage[2],
      ]);
      await service.ownerSql(`notify ${FRAMES_CHANNEL}`);
      await resolved();
    },
    /** The time of the first request that resolved findings of a provider, as in `states`. */
    resolvedAt: async (id: string): Promise<string> => {
      const [first] = await service.sql<{ time: Date }>(
        'select newest_time as time from coverages where provider_id = $1 and is_manual order by newest_time',
        [id],
      );
      return first?.time.toISOString().replace('Z', '000Z') ?? assert.fail('nothing was resolved');
    },
    audited: (id: string): Promise<Row[]> =>
      service.sql<Row>(
        'select action, target_type, changes, user_email from audit_events where target_id = $1 order by id',
        [id],
      ),
  };
}

interface ResolveOptions {
  readonly as?: Client;
  readonly path?: string;
  readonly query?: string;
}
