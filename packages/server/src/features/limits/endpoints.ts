import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Limits } from '../../config.ts';
import type { HousekeepingSettings } from '../../housekeeping/settings.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, documentOf } from '../../jsonapi/schemas.ts';

const LIMITS = 'limits';
const limit = z.int().min(0);
const perMinute = limit.nullable().meta({ description: 'Per API key; null: no limit' });

const limitsResource = describeResource({
  type: LIMITS,
  description: 'Every limit in force',
  id: z.literal(LIMITS),
  attributes: {
    upload_max_bytes: limit.meta({ description: 'Of a file as received' }),
    inflated_max_bytes: limit.meta({ description: 'Of a file inflated' }),
    encodings: z
      .array(z.enum(['identity', 'gzip', 'zstd']))
      .meta({ description: 'In which a file may come' }),
    record_max_bytes: limit,
    record_max_depth: limit,
    record_max_keys: limit,
    errors_kept_per_job: limit,
    default_page_size: limit,
    max_page_size: limit,
    requests_per_minute: perMinute,
    uploads_per_minute: perMinute,
    idempotency_keys_kept_hours: limit.meta({ description: 'At least; then a key makes a new job' }),
    files_kept_days: limit.meta({
      description: 'At least, from the end of the job on, and as long as a finding needs its record',
    }),
    jobs_kept_days: limit.meta({ description: 'The same for the job and what belongs to it' }),
  },
});

/** `GET /limits`: what a client has to keep to, before it finds out by being refused. */
export function limitEndpoints({ limits, housekeeping, publicUrl }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/limits',
      operationId: 'getLimits',
      tag: 'Limits',
      summary: 'Get every limit in force',
      access: {},
      query: { fields: { [LIMITS]: limitsResource.attributes } },
      answers: { 200: { description: 'The limits', schema: documentOf(limitsResource) } },
      handle: async ({ query }) => ({
        status: 200,
        document: {
          data: {
            type: LIMITS,
            id: LIMITS,
            attributes: selectFields(limitAttributes(limits, housekeeping), query.fields.get(LIMITS)),
            links: { self: `${publicUrl()}${API_PREFIX}/limits` },
          },
        },
      }),
    },
  ];
}

function limitAttributes(limits: Limits, housekeeping: HousekeepingSettings) {
  return {
    upload_max_bytes: limits.uploadMaxBytes,
    inflated_max_bytes: limits.inflatedMaxBytes,
    encodings: ['identity', 'gzip', 'zstd'],
    record_max_bytes: limits.recordMaxBytes,
    record_max_depth: limits.recordMaxDepth,
    record_max_keys: limits.recordMaxKeys,
    errors_kept_per_job: limits.errorsKeptPerJob,
    default_page_size: limits.defaultPageSize,
    max_page_size: limits.maxPageSize,
    requests_per_minute: limits.requestsPerMinute || null,
    uploads_per_minute: limits.uploadsPerMinute || null,
    idempotency_keys_kept_hours: housekeeping.idempotencyKeyHours,
    files_kept_days: Math.min(housekeeping.fileRetentionDays, housekeeping.jobRetentionDays),
    jobs_kept_days: housekeeping.jobRetentionDays,
  };
}
