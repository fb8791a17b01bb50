import type { FastifyInstance, FastifyReply } from 'fastify';
import type pg from 'pg';
import type { BlobStore } from '../../blob-store/blob-store.ts';
import type { Limits } from '../../config.ts';
import { readAsTenant } from '../../db/transaction.ts';
import type { FrameThread } from '../../frames/frame-thread.ts';
import { API_PREFIX, document } from '../../jsonapi/document.ts';
import { badRequest, notFound } from '../../jsonapi/errors.ts';
import { anyOf, dateFilters, oneOf, searchIn } from '../../jsonapi/filters.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { pageLinks, paginationMeta } from '../../jsonapi/page.ts';
import {
  type ListDescription,
  parseListQuery,
  parseResourceQuery,
  type QueryString,
} from '../../jsonapi/query.ts';
import { sendDocument } from '../../jsonapi/send-document.ts';
import { accessOf, type createGate } from '../../plugins/access.ts';
import type { RateLimits } from '../../plugins/rate-limits.ts';
import { SCANS_PATH } from '../start-page/routes.ts';
import { acceptUpload } from './accept-upload.ts';
import { findIngestion, INGESTION_STATUSES, type IngestionRow, listIngestions } from './repository.ts';
import { asAccepted, INGESTION_ATTRIBUTES, INGESTIONS, ingestionResource, ingestionUrl } from './resource.ts';

export interface ApiDependencies {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly frames: FrameThread;
  readonly limits: Limits;
  readonly rates: RateLimits;
  readonly gate: ReturnType<typeof createGate>;
  /** Without a slash at its end. */
  readonly publicUrl: () => string;
  /** The same where a setting gives it, and not the address listened on, which may lead nobody here. */
  readonly configuredUrl: string | undefined;
}

const list: ListDescription = {
  type: INGESTIONS,
  attributes: INGESTION_ATTRIBUTES,
  filters: {
    status: oneOf('status', INGESTION_STATUSES, 'ingestion_status'),
    status__in: anyOf('status', INGESTION_STATUSES, 'ingestion_status'),
    ...dateFilters('completed_at', 'completed_at'),
    ...dateFilters('inserted_at', 'inserted_at'),
    search: searchIn(['id::text', 'file_name']),
  },
  sorts: {
    inserted_at: 'inserted_at',
    // The alias of the formatted column would sort by text.
    requested_at: 'ingestions.requested_at',
    started_at: 'ingestions.started_at',
    completed_at: 'ingestions.completed_at',
  },
  defaultSort: '-inserted_at',
};

/** How long a client should wait before it asks for a running job again, in seconds. */
const POLL_AFTER_SECONDS = 1;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export function registerIngestions(app: FastifyInstance, dependencies: ApiDependencies): void {
  const { pool, limits, rates, gate, publicUrl, configuredUrl } = dependencies;
  const onRequest = gate({ permission: 'manage_ingestions', subscription: true });
  const url = `${API_PREFIX}/${INGESTIONS}`;
  // Without it the client's own address of the service is the better one.
  const acceptedMeta = configuredUrl === undefined ? {} : { scans_url: `${configuredUrl}${SCANS_PATH}` };

  app.post<{ Querystring: QueryString }>(url, { onRequest }, async (request, reply) => {
    const { tenantId, keyId } = accessOf(request);
    const { fields } = parseResourceQuery(request.query, list);
    await rates.countUpload(keyId);
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    if (request.headers.expect !== undefined) reply.raw.writeContinue();
    const { ingestion, replayed } = await acceptUpload(dependencies, request.raw, {
      tenantId,
      apiKeyId: keyId,
      idempotencyKey,
    });
    request.log.info(
      { tenantId, ingestionId: ingestion.id, records: ingestion.total, replayed },
      'upload accepted',
    );
    const location = ingestionUrl(publicUrl(), ingestion.id);
    if (replayed) reply.header('idempotency-replayed', 'true');
    reply
      .code(202)
      .headers({ location, 'content-location': location, 'retry-after': String(POLL_AFTER_SECONDS) });
    const row = replayed ? asAccepted(ingestion) : ingestion;
    return await sendDocument(
      reply,
      document(ingestionResource(row, publicUrl(), fields), { meta: acceptedMeta }),
    );
  });

  app.get<{ Querystring: QueryString }>(url, { onRequest }, async (request, reply) => {
    const { tenantId } = accessOf(request);
    const query = parseListQuery(request.query, list, limits);
    const { rows, count } = await readAsTenant(pool, tenantId, (client) =>
      listIngestions(client, tenantId, query),
    );
    const data = rows.map((row) => ingestionResource(row, publicUrl(), query.fields));
    const links = pageLinks(publicUrl(), request.url, query.page, count);
    const meta = { pagination: paginationMeta(query.page, count) };
    return await sendDocument(reply, document(data, { links, meta }));
  });

  app.get<{ Params: { id: string }; Querystring: QueryString }>(
    `${url}/:id`,
    { onRequest },
    async (request, reply) => {
      const { tenantId } = accessOf(request);
      const { fields } = parseResourceQuery(request.query, list);
      const row = await existingIngestion(pool, tenantId, request.params.id);
      pollAgain(reply, row);
      return await sendDocument(reply, document(ingestionResource(row, publicUrl(), fields)));
    },
  );
}

/** The tenant's job of this id; throws the same 404 for an id that is wrong, unknown or another tenant's. */
export async function existingIngestion(pool: pg.Pool, tenantId: string, id: string): Promise<IngestionRow> {
  const row = isUuid(id)
    ? await readAsTenant(pool, tenantId, (client) => findIngestion(client, tenantId, id))
    : undefined;
  if (row === undefined) throw notFound('There is no ingestion with this id');
  return row;
}

function pollAgain(reply: FastifyReply, { status }: IngestionRow): void {
  if (status === 'pending' || status === 'processing')
    reply.header('retry-after', String(POLL_AFTER_SECONDS));
}

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return header;
  throw badRequest(
    'invalid_idempotency_key',
    'The Idempotency-Key must be 1 to 255 printable ASCII characters without spaces',
    {
      header: 'Idempotency-Key',
    },
  );
}
