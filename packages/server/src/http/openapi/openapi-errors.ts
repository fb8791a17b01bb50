import type { z } from 'zod';
import { API_VERSION } from '../../jsonapi/document.ts';
import { ERROR_TITLES, type ErrorCode, type errorDocument } from '../../jsonapi/errors.ts';

export interface ErrorDescription {
  readonly status: number;
  /** Component name in the OpenAPI description. */
  readonly name: string;
  readonly description: string;
  /** Headers that are always present. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly example: {
    readonly code: ErrorCode;
    readonly detail: string;
    readonly source?: { readonly parameter?: string; readonly header?: string; readonly pointer?: string };
    readonly meta?: Readonly<Record<string, unknown>>;
  };
}

/** Every error status of the API, with an example document. */
export const ERRORS: readonly ErrorDescription[] = [
  {
    status: 400,
    name: 'BadRequest',
    description:
      'The request is invalid. `source` identifies the query parameter, the header or the location in the document.',
    example: {
      code: 'invalid_parameter',
      detail: "Unknown query parameter 'limit'.",
      source: { parameter: 'limit' },
    },
  },
  {
    status: 401,
    name: 'Unauthorized',
    description:
      'The API key is missing, malformed, unknown, revoked or expired, or it is restricted to permissions that do not include the required one.',
    headers: { 'WWW-Authenticate': 'The authentication scheme, `Api-Key`.' },
    example: {
      code: 'invalid_api_key',
      detail: 'The API key was revoked.',
      source: { header: 'Authorization' },
    },
  },
  {
    status: 402,
    name: 'SubscriptionRequired',
    description: 'The tenant has no active subscription.',
    example: {
      code: 'subscription_required',
      detail: 'The tenant has no active subscription, which this request requires.',
    },
  },
  {
    status: 403,
    name: 'PermissionDenied',
    description:
      "The API key's user lacks the required permission, or the key lacks the permission that an `include` requires.",
    example: {
      code: 'permission_denied',
      detail:
        "The API key's user lacks the permission manage_account. Ask an administrator to assign a role that includes it.",
    },
  },
  {
    status: 404,
    name: 'NotFound',
    description: 'The resource does not exist or belongs to another tenant.',
    example: { code: 'not_found', detail: 'No ingestion has this ID.' },
  },
  {
    status: 406,
    name: 'NotAcceptable',
    description: 'The response is not available in any media type that the `Accept` header allows.',
    example: {
      code: 'not_acceptable',
      detail:
        'Every application/vnd.api+json entry has unsupported parameters. Send application/vnd.api+json without parameters.',
      source: { header: 'Accept' },
    },
  },
  {
    status: 408,
    name: 'RequestTimeout',
    description:
      'The request body was received too slowly or not completed in time. The connection is closed.',
    example: {
      code: 'upload_too_slow',
      detail:
        'The server received 120 bytes in 60 seconds; the minimum is 1024 bytes per second. Nothing was stored.',
      meta: { limit: 'upload_min_bytes_per_second', min: 1024, seen: 2 },
    },
  },
  {
    status: 409,
    name: 'Conflict',
    description:
      'The request conflicts with the current state, its document identifies a different resource than the path, or the finding after which an export continues has moved (`finding_changed`).',
    example: {
      code: 'conflict',
      detail: 'The document identifies a different resource than the path.',
      source: { pointer: '/data/type' },
    },
  },
  {
    status: 410,
    name: 'Gone',
    description: 'The file is no longer stored. See `files_kept_days` in the limits.',
    example: {
      code: 'file_removed',
      detail:
        'The file of ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11 was removed after its retention period because no finding refers to it.',
    },
  },
  {
    status: 413,
    name: 'TooLarge',
    description: 'The request body exceeds a size limit. `meta` contains the limit and the size received.',
    example: {
      code: 'document_too_large',
      detail: 'The document is larger than 65,536 bytes.',
      meta: { limit: 'document_max_bytes', max: 65_536, seen: 65_540 },
    },
  },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The media type of the request body is not supported.',
    example: {
      code: 'unsupported_media_type',
      detail: 'Send the document as application/vnd.api+json, without parameters.',
      source: { header: 'Content-Type' },
    },
  },
  {
    status: 422,
    name: 'UnprocessableContent',
    description:
      'The idempotency key was already used for a different upload, the host of a webhook is not a public address (`address_not_allowed`), or the tenant has the maximum number of webhooks (`too_many_webhooks`).',
    example: {
      code: 'idempotency_key_reused',
      detail:
        'The key was already used for a different upload (ingestion 0198a3f2-6c1e-7f0b-9d57-2f6f0f6f1c11). Use a new key for each upload.',
      source: { header: 'Idempotency-Key' },
    },
  },
  {
    status: 429,
    name: 'RateLimited',
    description:
      'The API key exceeded a rate limit, too many requests with invalid keys were sent from this IP address, or another export of the tenant is in progress (`too_many_exports`).',
    headers: { 'Retry-After': 'Number of seconds to wait before the next request.' },
    example: {
      code: 'rate_limited',
      detail: 'The API key sent 601 requests in a minute; the maximum is 600. Try again in 12 seconds.',
    },
  },
  {
    status: 500,
    name: 'InternalError',
    description: 'An unexpected error occurred. For details, search the server log for the ID of this error.',
    example: {
      code: 'internal_error',
      detail: 'An internal error occurred. For details, search the server log for the ID of this error.',
    },
  },
  {
    status: 503,
    name: 'Unavailable',
    description:
      'The database or the blob store is unavailable, a statement exceeded a database timeout (`database_timeout`), the request waited too long for a free slot (`too_many_uploads`, `too_many_reads`), the server process is running the maximum number of exports (`too_many_exports`), or an upgrade of the findings of the tenant is in progress (`upgrade_in_progress`). The request can be retried.',
    headers: { 'Retry-After': 'Number of seconds to wait before the next request.' },
    example: {
      code: 'database_unavailable',
      detail: 'The database cannot be reached. Try again in 5 seconds.',
    },
  },
  {
    status: 507,
    name: 'InsufficientStorage',
    description: 'The service has run out of storage. Nothing was stored.',
    headers: { 'Retry-After': 'Number of seconds to wait before the next request.' },
    example: {
      code: 'insufficient_storage',
      detail: 'The server has run out of storage space; nothing was stored. Try again in 60 seconds.',
    },
  },
];

const EXAMPLE_ID = '0198a3f2-6c1e-4f0b-9d57-2f6f0f6f1c11';

/** Returns the example as a complete error document. */
export function errorExample({ status, example }: ErrorDescription): z.infer<typeof errorDocument> {
  const { code, detail, source, meta } = example;
  const error = { id: EXAMPLE_ID, status: String(status), code, title: ERROR_TITLES[code], detail };
  return {
    errors: [{ ...error, ...(source && { source }), ...(meta && { meta }) }],
    meta: { version: API_VERSION },
  };
}
