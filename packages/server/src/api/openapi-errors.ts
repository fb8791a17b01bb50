import type { z } from 'zod';
import { API_VERSION } from '../jsonapi/document.ts';
import type { errorDocument } from '../jsonapi/error-schema.ts';

export interface ErrorDescription {
  readonly status: number;
  /** In the components of the description. */
  readonly name: string;
  readonly description: string;
  /** Headers that always come with it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly example: {
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly source?: { readonly parameter?: string; readonly header?: string; readonly pointer?: string };
    readonly meta?: Readonly<Record<string, unknown>>;
  };
}

/** Every error that an operation can have, in words, with one of the documents in which it comes. */
export const ERRORS: readonly ErrorDescription[] = [
  {
    status: 400,
    name: 'BadRequest',
    description:
      'The request is wrong; `source` names the parameter, the header or the place in the document',
    example: {
      code: 'invalid_parameter',
      title: 'A query parameter is wrong',
      detail: "The parameter 'limit' is not known here",
      source: { parameter: 'limit' },
    },
  },
  {
    status: 401,
    name: 'Unauthorized',
    description:
      'The key is missing, malformed, unknown, revoked, expired, or narrowed so that it lacks the permission',
    headers: { 'WWW-Authenticate': 'How to send a key' },
    example: {
      code: 'invalid_api_key',
      title: 'The API key is not accepted',
      detail: 'This API key was revoked',
      source: { header: 'Authorization' },
    },
  },
  {
    status: 402,
    name: 'SubscriptionRequired',
    description: 'The tenant has no active subscription',
    example: {
      code: 'subscription_required',
      title: 'A subscription is required',
      detail: 'This tenant has no active subscription; ingestion needs one',
    },
  },
  {
    status: 403,
    name: 'PermissionDenied',
    description:
      'The user of the key lacks the permission; or the key lacks one that `include` needs, which `source` names then',
    example: {
      code: 'permission_denied',
      title: 'Permission denied',
      detail:
        'The user of this API key lacks the permission manage_account; a role with it has to be given to the user',
    },
  },
  {
    status: 404,
    name: 'NotFound',
    description: "There is no such resource, or it is another tenant's",
    example: { code: 'not_found', title: 'Not found', detail: 'There is no ingestion with this id' },
  },
  {
    status: 406,
    name: 'NotAcceptable',
    description: 'No media type that is asked for can be answered',
    example: {
      code: 'not_acceptable',
      title: 'Not acceptable',
      detail:
        'Every application/vnd.api+json in the Accept header has parameters that this API does not support; ask for plain application/vnd.api+json',
      source: { header: 'Accept' },
    },
  },
  {
    status: 408,
    name: 'RequestTimeout',
    description: 'The body came too slowly, or did not come to its end in time; the connection is closed',
    example: {
      code: 'upload_too_slow',
      title: 'The request took too long',
      detail:
        'An upload must send 1024 bytes a second on average; in the last 60 s 120 bytes came. Nothing of it was kept',
      meta: { limit: 'upload_min_bytes_per_second', min: 1024, seen: 2 },
    },
  },
  {
    status: 409,
    name: 'Conflict',
    description: 'It contradicts what is there, or names another resource than the address does',
    example: {
      code: 'conflict',
      title: 'The resource is another one',
      detail: '/data/type names another resource than the address does',
      source: { pointer: '/data/type' },
    },
  },
  {
    status: 410,
    name: 'Gone',
    description: 'It was there, but is not kept any more: see `files_kept_days` of the limits',
    example: {
      code: 'file_removed',
      title: 'The file is gone',
      detail:
        'The file of ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11 was removed: its time was over and no finding needed it',
    },
  },
  {
    status: 413,
    name: 'TooLarge',
    description: 'It is over a limit; `meta` repeats the limit and what was seen',
    example: {
      code: 'document_too_large',
      title: 'The document is too large',
      detail: 'The document is larger than 65536 bytes',
      meta: { limit: 'document_max_bytes', max: 65_536, seen: 65_540 },
    },
  },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not taken',
    example: {
      code: 'unsupported_media_type',
      title: 'Unsupported media type',
      detail: 'Send the document as application/vnd.api+json, without parameters',
      source: { header: 'Content-Type' },
    },
  },
  {
    status: 422,
    name: 'IdempotencyKeyReused',
    description: 'The `Idempotency-Key` was used for another upload',
    example: {
      code: 'idempotency_key_reused',
      title: 'The Idempotency-Key was used before',
      detail:
        'The Idempotency-Key was used for another upload (ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11); a new upload needs a key of its own',
      source: { header: 'Idempotency-Key' },
    },
  },
  {
    status: 429,
    name: 'RateLimited',
    description:
      'The key has sent too many requests; or too many keys were refused that came from this address, this one too',
    headers: { 'Retry-After': 'Seconds until it makes sense to ask again' },
    example: {
      code: 'rate_limited',
      title: 'Too many requests',
      detail: 'This API key may send 600 requests a minute and has sent 601; try again in 12 s',
    },
  },
  {
    status: 500,
    name: 'InternalError',
    description: 'The service failed; its log has the reason, under the id of this error',
    example: {
      code: 'internal_error',
      title: 'Internal error',
      detail: 'The service failed; the id of this error is in its log',
    },
  },
  {
    status: 503,
    name: 'Unavailable',
    description:
      'The database or the blob store is unavailable, a statement exceeded a time limit of the database (`database_timeout`), or the upload queue stayed full (`too_many_uploads`); the request can be retried',
    headers: { 'Retry-After': 'Seconds to wait' },
    example: {
      code: 'database_unavailable',
      title: 'The service is not available',
      detail: 'The database cannot be reached; try again in 5 s',
    },
  },
  {
    status: 507,
    name: 'InsufficientStorage',
    description: 'There is no room left to store what was sent; nothing of it was kept',
    headers: { 'Retry-After': 'Seconds to wait' },
    example: {
      code: 'insufficient_storage',
      title: 'There is no room left',
      detail: 'The service has no room left to store this; nothing of it was kept. Try again in 60 s',
    },
  },
];

/** A whole document with this error. */
export function errorExample({ status, example }: ErrorDescription): z.infer<typeof errorDocument> {
  const { code, title, detail, source, meta } = example;
  const error = { id: EXAMPLE_ID, status: String(status), code, title, detail };
  return {
    errors: [{ ...error, ...(source && { source }), ...(meta && { meta }) }],
    meta: { version: API_VERSION },
  };
}

const EXAMPLE_ID = '0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11';
