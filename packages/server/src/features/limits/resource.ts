import { z } from 'zod';
import { DOCUMENT_MAX_BYTES } from '../../api/read-text.ts';
import type { Limits } from '../../config.ts';
import { maxHeaderSize } from '../../http-constants.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import { MAX_HEADERS } from '../../plugins/assert-headers.ts';
import { READ_QUEUE_SECONDS } from '../../reads.ts';
import type { RetentionSettings } from '../../retention/settings.ts';
import { slotsPerTenant } from '../../tenant-slots.ts';
import { MAX_PARTS } from '../../upload/multipart-parser.ts';

export const LIMITS = 'limits';
const limit = z.int().min(0);
const perProcess = 'Each process of the service has as many';
const perMinute = limit.nullable().meta({ description: `Per API key; null: no limit. ${perProcess}` });

/** Every limit in force, as a resource. */
export const limitsResource = describeResource({
  type: LIMITS,
  description: 'Every limit in force',
  id: z.literal(LIMITS),
  attributes: {
    upload_max_bytes: limit.meta({ description: 'Of a file as received' }),
    inflated_max_bytes: limit.meta({ description: 'Of a file inflated' }),
    encodings: z
      .array(z.enum(['identity', 'gzip', 'zstd']))
      .meta({ description: 'In which a file may come' }),
    upload_max_parts: limit.meta({ description: 'Of a multipart form' }),
    uploads_at_once: limit.meta({ description: `Others wait for their turn. ${perProcess}` }),
    uploads_at_once_per_tenant: limit.meta({ description: `Of these. ${perProcess}` }),
    upload_queue_seconds: limit.meta({ description: 'How long an upload waits for its turn' }),
    upload_min_bytes_per_second: limit.meta({ description: 'On average over `upload_pace_seconds`' }),
    upload_pace_seconds: limit,
    upload_max_hours: z.number().min(0).meta({ description: 'From the first byte of an upload to its last' }),
    reads_at_once: limit.meta({
      description: `Of findings, scans, checks, providers and access; others wait for their turn. ${perProcess}`,
    }),
    reads_at_once_per_tenant: limit.meta({ description: `Of these. ${perProcess}` }),
    read_queue_seconds: limit.meta({ description: 'How long a read waits for its turn' }),
    read_seconds: limit.meta({ description: 'How long a statement of a read may take' }),
    record_max_bytes: limit,
    record_max_depth: limit,
    record_max_keys: limit,
    errors_kept_per_job: limit,
    default_page_size: limit,
    max_page_size: limit,
    requests_per_minute: perMinute,
    uploads_per_minute: perMinute,
    failed_authentications_per_minute: limit.nullable().meta({
      description: `Refused keys per address (IPv6: per /64) before they are a 429; null: no limit. ${perProcess}`,
    }),
    idempotency_keys_kept_hours: limit.meta({ description: 'At least; then a key makes a new job' }),
    files_kept_days: limit.meta({
      description: 'At least, from the end of the job on, and as long as a finding needs its record',
    }),
    jobs_kept_days: limit.meta({ description: 'The same for the job and what belongs to it' }),
    document_max_bytes: limit.meta({ description: 'Of a JSON:API document in a request' }),
    document_seconds: limit.meta({ description: 'How long such a document may take to come' }),
    headers_max_bytes: limit.meta({ description: 'Of a request, with its address' }),
    headers_max_count: limit,
    header_seconds: limit.meta({ description: 'How long the headers of a request may take to come' }),
    idle_seconds: limit.meta({
      description: 'A connection is closed on which nothing has moved for as long',
    }),
    keep_alive_seconds: limit.meta({ description: 'How long a connection is kept for a next request' }),
    max_connections: limit.meta({ description: `Further ones are closed at once. ${perProcess}` }),
  },
});

/** The attributes of the resource. */
export function limitAttributes(limits: Limits, retention: RetentionSettings) {
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
