import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Call, EndpointResponse, ResponseDescription } from '../../http/endpoints/endpoint.ts';
import { badRequest } from '../../jsonapi/errors.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import {
  asAccepted,
  INGESTIONS,
  ingestionResource,
  ingestions,
  ingestionUrl,
} from '../../resources/ingestions.ts';
import type { InsertedIngestion } from './insert-ingestion.ts';

/** How long clients should wait between polls of a running job, in seconds. */
export const POLL_AFTER_SECONDS = 1;

const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** The request header that makes it safe to repeat a request that creates a job. */
export const IDEMPOTENCY_HEADER = {
  'Idempotency-Key': {
    description:
      'Makes the request safe to retry. Repeating the request returns the first response and does not create a second job, unless a provider in that job was deleted in the meantime. Reusing the key for a different upload returns `422`.',
    schema: idempotencyKey,
  },
};

/** Throws an ApiError (400) for an invalid key. */
export function readIdempotencyKey({ request }: Pick<Call, 'request'>): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = idempotencyKey.safeParse(header);
  if (key.success) return key.data;
  throw badRequest(
    'invalid_idempotency_key',
    'The key must consist of 1 to 255 printable ASCII characters without spaces.',
    { header: 'Idempotency-Key' },
  );
}

/** The 202 response with a new job. */
export function acceptedDescription(description: string): ResponseDescription {
  return {
    description,
    schema: documentOf(ingestions, { meta: { scans_url: z.url().optional() } }),
    headers: {
      Location: 'URL of the job.',
      'Content-Location': 'URL of the job.',
      'Retry-After': 'Number of seconds to wait before polling the job.',
      'Idempotency-Replayed': 'true if an earlier request with the same key created the job.',
    },
  };
}

/** Returns the job, as it was in the first response if the request was repeated. */
export function acceptedResponse(
  { publicUrl, scansUrl }: Pick<ApiDependencies, 'publicUrl' | 'scansUrl'>,
  { query }: Pick<Call, 'query'>,
  { ingestion, replayed }: InsertedIngestion,
): EndpointResponse {
  const location = ingestionUrl(publicUrl(), ingestion.id);
  const row = replayed ? asAccepted(ingestion) : ingestion;
  return {
    status: 202,
    headers: {
      location,
      'content-location': location,
      'retry-after': String(POLL_AFTER_SECONDS),
      ...(replayed && { 'idempotency-replayed': 'true' }),
    },
    document: {
      data: ingestionResource(row, publicUrl(), query.fields.get(INGESTIONS)),
      // Without a configured URL, the public address is unknown, so there is no link.
      meta: scansUrl === undefined ? {} : { scans_url: scansUrl },
    },
  };
}
