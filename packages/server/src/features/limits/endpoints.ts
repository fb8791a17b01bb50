import { z } from 'zod';
import { EXPORTS_PER_TENANT } from '../../db/advisory-locks.ts';
import { READ_QUEUE_SECONDS } from '../../db/read-slots.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { DOCUMENT_MAX_BYTES } from '../../http/endpoints/read-document.ts';
import { MAX_HEADERS } from '../../http/plugins/headers.ts';
import { MAX_PARTS } from '../../ingest/upload/multipart.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, documentOf } from '../../jsonapi/schemas.ts';
import { maxHeaderSize } from '../../lib/http-constants.ts';
import { slotsPerTenant } from '../../lib/tenant-slots.ts';

const LIMITS = 'limits';
const limit = z.int().min(0);
const perProcess = 'Applies to each server process.';
const perMinute = (subject: string) =>
  limit.nullable().meta({ description: `Maximum ${subject} per minute per API key. \`null\` if unlimited.` });
const described = (description: string) => limit.meta({ description });

/** The resource that contains every limit on requests. */
const limitsResource = describeResource({
  type: LIMITS,
  description: 'The limits that apply to requests.',
  id: z.literal(LIMITS),
  attributes: {
    upload_max_bytes: described('Maximum size of an uploaded file as received, in bytes.'),
    inflated_max_bytes: described('Maximum size of an uploaded file after decompression, in bytes.'),
    encodings: z
      .array(z.enum(['identity', 'gzip', 'zstd']))
      .meta({ description: 'Supported compression formats of uploaded files.' }),
    upload_max_parts: described('Maximum number of fields in the multipart form of an upload.'),
    uploads_at_once: described(
      `Maximum number of concurrent uploads; further uploads wait in a queue. ${perProcess}`,
    ),
    uploads_at_once_per_tenant: described(`Maximum number of concurrent uploads per tenant. ${perProcess}`),
    upload_queue_seconds: described('Maximum time that an upload waits in the queue, in seconds.'),
    upload_min_bytes_per_second: described(
      'Minimum transfer rate of an upload in bytes per second, averaged over `upload_pace_seconds`.',
    ),
    upload_pace_seconds: described('Interval over which the transfer rate is averaged, in seconds.'),
    upload_max_hours: z
      .number()
      .min(0)
      .meta({ description: 'Maximum duration of an upload from its first to its last byte, in hours.' }),
    reads_at_once: described(
      `Maximum number of concurrent reads of findings, scans, checks, providers, API keys, users, roles and audit events; further reads wait in a queue. ${perProcess}`,
    ),
    reads_at_once_per_tenant: described(`Maximum number of concurrent reads per tenant. ${perProcess}`),
    read_queue_seconds: described('Maximum time that a read waits in the queue, in seconds.'),
    read_seconds: described('Maximum duration of each database statement of a read, in seconds.'),
    exports_at_once: described(`Maximum number of concurrent exports of findings. ${perProcess}`),
    exports_at_once_per_tenant: described(
      'Maximum number of concurrent exports of findings per tenant, in all server processes together.',
    ),
    record_max_bytes: described('Maximum size of a record, in bytes.'),
    record_max_depth: described('Maximum nesting depth of a record.'),
    record_max_keys: described('Maximum number of keys in a record.'),
    errors_kept_per_job: described(
      'Maximum number of errors stored per job. The counts per error code include all errors.',
    ),
    default_page_size: described('Number of resources per page if `page[size]` is absent.'),
    max_page_size: described('Maximum value of `page[size]`.'),
    requests_per_minute: perMinute('number of requests'),
    uploads_per_minute: perMinute('number of uploads'),
    failed_authentications_per_minute: limit.nullable().meta({
      description: `Maximum number of failed authentications per minute per IP address (for IPv6, per /64 network) before the service returns \`429\`. \`null\` if unlimited. ${perProcess}`,
    }),
    idempotency_keys_kept_hours: described(
      'Minimum time that an idempotency key is stored, in hours. Reusing it later creates a new job.',
    ),
    files_kept_days: described(
      'Minimum time that an uploaded file is stored after its job ends, in days. A file is also kept while a finding refers to one of its records.',
    ),
    jobs_kept_days: described(
      'Minimum time, in days, for which a job and its errors and warnings are kept after the job ends. A job is also kept while a finding refers to one of its records.',
    ),
    document_max_bytes: described('Maximum size of a JSON:API document in a request, in bytes.'),
    document_seconds: described('Maximum time for receiving a JSON:API document, in seconds.'),
    headers_max_bytes: described('Maximum size of the request line and headers, in bytes.'),
    headers_max_count: described('Maximum number of request headers.'),
    header_seconds: described('Maximum time for receiving the headers of a request, in seconds.'),
    idle_seconds: described('Time after which a connection without traffic is closed, in seconds.'),
    keep_alive_seconds: described(
      'Time that an idle connection is kept open for the next request, in seconds.',
    ),
    max_connections: described(
      `Maximum number of open connections; further connections are closed immediately. ${perProcess}`,
    ),
  },
});

function limitAttributes({ limits, retention, exportPool }: ApiDependencies) {
  return {
    upload_max_bytes: limits.uploadMaxBytes,
    inflated_max_bytes: limits.inflatedMaxBytes,
    encodings: ['identity', 'gzip', 'zstd'],
    upload_max_parts: MAX_PARTS,
    uploads_at_once: limits.uploadsAtOnce,
    uploads_at_once_per_tenant: slotsPerTenant(limits.uploadsAtOnce),
    upload_queue_seconds: limits.uploadQueueSeconds,
    upload_min_bytes_per_second: limits.uploadMinBytesPerSecond,
    upload_pace_seconds: limits.uploadPaceSeconds,
    upload_max_hours: limits.uploadMaxHours,
    reads_at_once: limits.readsAtOnce,
    reads_at_once_per_tenant: slotsPerTenant(limits.readsAtOnce),
    read_queue_seconds: READ_QUEUE_SECONDS,
    read_seconds: limits.readSeconds,
    exports_at_once: exportPool.options.max,
    exports_at_once_per_tenant: EXPORTS_PER_TENANT,
    record_max_bytes: limits.recordMaxBytes,
    record_max_depth: limits.recordMaxDepth,
    record_max_keys: limits.recordMaxKeys,
    errors_kept_per_job: limits.errorsKeptPerJob,
    default_page_size: limits.defaultPageSize,
    max_page_size: limits.maxPageSize,
    requests_per_minute: limits.requestsPerMinute || null,
    uploads_per_minute: limits.uploadsPerMinute || null,
    failed_authentications_per_minute: limits.failedAuthenticationsPerMinute || null,
    idempotency_keys_kept_hours: retention.idempotencyKeyHours,
    files_kept_days: Math.min(retention.fileRetentionDays, retention.jobRetentionDays),
    jobs_kept_days: retention.jobRetentionDays,
    document_max_bytes: DOCUMENT_MAX_BYTES,
    document_seconds: limits.documentSeconds,
    headers_max_bytes: maxHeaderSize,
    headers_max_count: MAX_HEADERS,
    header_seconds: limits.headerSeconds,
    idle_seconds: limits.idleSeconds,
    keep_alive_seconds: limits.keepAliveSeconds,
    max_connections: limits.maxConnections,
  };
}

/** `GET /limits`: the limits that clients must observe. */
export function limitEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/limits',
      operationId: 'getLimits',
      tag: 'Limits',
      summary: 'Get the limits',
      description: 'Returns the size, rate and time limits that apply to requests.',
      access: { permissions: [] },
      query: { fields: { [LIMITS]: limitsResource.attributes } },
      responses: { 200: { description: 'The limits.', schema: documentOf(limitsResource) } },
      handle: async ({ query }) => ({
        status: 200,
        document: {
          data: {
            type: LIMITS,
            id: LIMITS,
            attributes: selectFields(limitAttributes(dependencies), query.fields.get(LIMITS)),
            links: { self: `${dependencies.publicUrl()}${API_PREFIX}/limits` },
          },
        },
      }),
    },
  ];
}
