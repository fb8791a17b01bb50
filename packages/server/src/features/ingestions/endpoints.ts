import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { readAsTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { sendContinue } from '../../http/plugins/request-body.ts';
import { spanOf } from '../../http/plugins/watch-requests.ts';
import { COVERAGES } from '../../ingest/upload/coverage.ts';
import { label, MAX_LABELS } from '../../ingest/upload/labels.ts';
import { textPart } from '../../ingest/upload/text-parts.ts';
import { dateFilters, enumFilters, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { onDisconnect } from '../../lib/client-disconnected.ts';
import {
  INGESTION_STATUSES,
  INGESTIONS,
  ingestionResource,
  ingestionResourceType,
  ingestions,
  listIngestions,
} from '../../resources/ingestions.ts';
import { labelFilter } from '../../resources/labels.ts';
import { acceptUpload, assertContentLength } from './accept-upload.ts';
import {
  acceptedDescription,
  acceptedResponse,
  IDEMPOTENCY_HEADER,
  POLL_AFTER_SECONDS,
  readIdempotencyKey,
} from './accepted-job.ts';

const { access } = ingestionResourceType;
const fields = { [INGESTIONS]: ingestions.attributes };

const upload = z.strictObject({
  file: z.string().meta({
    description:
      'The `.ocsf.json` file: Detection Finding records as a JSON array or as newline-delimited JSON, optionally compressed with gzip or zstd.',
    format: 'binary',
    minLength: 1,
  }),
  provider: textPart('provider')
    .optional()
    .meta({ description: 'Default for records that do not specify a provider.' }),
  account: textPart('account')
    .optional()
    .meta({ description: 'Default for records that do not specify an account.' }),
  coverage: z.enum(COVERAGES).optional().meta({
    description:
      'What the file is complete for. `partial`, the default: nothing. `checks`: it contains all findings of each account, product and check in it. `account`: it contains all findings of each account and product in it. Findings of these that are not in the file are resolved when the job is completed, unless they have a newer record. The product is `metadata.product.name`.',
  }),
  dry_run: z.enum(['true', 'false']).optional().meta({
    description:
      '`true` if the job only reports what the upload would do (`GET /ingestions/{id}/dry-run`). It then validates all records, but changes no findings and creates no providers. Its file is removed after a day. The default is `false`.',
  }),
  label: z.array(label).max(MAX_LABELS).optional().meta({
    uniqueItems: true,
    description:
      'Labels of the upload, such as its branch or commit. Each field has the form `key=value`, with a key of 1 to 63 letters, digits, `.`, `_`, `/` and `-`, and a value of 1 to 1,024 characters.',
  }),
});

/** A summary of `docs/ingesting.md`. */
const RECORDS_DESCRIPTION = [
  'Each record requires `class_uid` 2004, `finding_info.uid`, `metadata.event_code` (up to 512 characters), a provider (`cloud.provider`, `unmapped.provider` or the form field `provider`; up to 100 characters), an account (`cloud.account.uid`, `unmapped.provider_uid` or the form field `account`; up to 512 characters) and `status_code` (PASS, FAIL, MANUAL or MUTED, in any case). Records that lack any of these fields are reported as job errors; all others are ingested.',
  'All other fields are optional. Invalid values in them are ignored with a warning.',
  'Account IDs are compared in Unicode normalization form C; invisible characters and surrounding whitespace are ignored. UUIDs for `azure`, `entra` and `m365` and host names for `okta` are compared case-insensitively.',
  '`severity_id`, `status_id` and times can be numbers or numeric strings. A time later than the upload is replaced with the upload time. If it is more than five minutes later, the job also has a warning.',
  'If two records describe the same finding at the same time, FAIL takes precedence over MANUAL, MANUAL over PASS, unmuted over muted, and the later record in the file over the earlier one.',
].join(' ');

/** The ingestion job endpoints (docs/specification.md, "Endpoints"). */
export function ingestionEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, limits, rates, uploadSlots, shutdownDeadline, publicUrl } = dependencies;
  const create: Endpoint = {
    method: 'POST',
    path: '/ingestions',
    operationId: 'createIngestion',
    tag: 'Ingestions',
    summary: 'Upload a file of findings',
    description: RECORDS_DESCRIPTION,
    access,
    query: { fields },
    headers: IDEMPOTENCY_HEADER,
    form: { description: 'The file and defaults for its records.', schema: upload },
    responses: { 202: acceptedDescription('The file has been stored durably and will be processed.') },
    errors: [408, 413, 415, 422, 507],
    handle: async (call) => {
      const { request, reply, access } = call;
      const { tenantId, keyId } = access;
      await rates.countUpload(keyId, reply);
      const key = readIdempotencyKey(call);
      assertContentLength(request.raw, limits);
      const releaseSlot = await uploadSlots.take(
        tenantId,
        AbortSignal.any([disconnectedBy(request.raw), shutdownDeadline]),
      );
      sendContinue(request.raw, reply.raw);
      const inserted = await acceptUpload(dependencies, request.raw, {
        log: request.log,
        tenantId,
        apiKeyId: keyId,
        idempotencyKey: key,
        requestId: request.id,
        span: spanOf(request),
      }).finally(releaseSlot);
      const { ingestion, replayed } = inserted;
      request.log.info(
        { tenantId, ingestionId: ingestion.id, records: ingestion.total, replayed },
        'upload accepted',
      );
      return acceptedResponse(dependencies, call, inserted);
    },
  };

  const list = listEndpoint(dependencies, {
    resourceType: ingestionResourceType,
    isUrgent: true,
    tag: 'Ingestions',
    operationId: 'listIngestions',
    summary: 'List jobs',
    responseDescription: 'A page of jobs.',
    filters: {
      ...enumFilters('status', 'status', INGESTION_STATUSES, 'ingestion_status'),
      ...dateFilters('completed_at', 'completed_at'),
      label: labelFilter('jobs', 'labels'),
      ...dateFilters('inserted_at', 'inserted_at'),
      search: searchFilter('Returns jobs whose ID or file name contains this text. Case-insensitive.', [
        'id::text',
        'file_name',
      ]),
    },
    sorts: {
      inserted_at: { sql: 'inserted_at', type: 'timestamptz' },
      // Sorting by the alias of the formatted column would compare strings instead of times.
      requested_at: { sql: 'ingestions.requested_at', type: 'timestamptz' },
      started_at: { sql: 'ingestions.started_at', type: 'timestamptz', nullable: true },
      completed_at: { sql: 'ingestions.completed_at', type: 'timestamptz', nullable: true },
    },
    defaultSort: '-inserted_at',
    select: listIngestions,
  });

  const get: Endpoint = {
    method: 'GET',
    path: '/ingestions/{id}',
    resourceType: ingestionResourceType,
    operationId: 'getIngestion',
    tag: 'Ingestions',
    summary: 'Get a job',
    access,
    query: { fields },
    responses: {
      200: {
        description: 'The job.',
        schema: documentOf(ingestions),
        headers: {
          'Retry-After':
            'Number of seconds to wait before polling again. Present only while the job is running.',
        },
      },
    },
    handle: async ({ access: { tenantId }, params, query }) => {
      const row = await readAsTenant(pool, tenantId, (client) =>
        findExisting(ingestionResourceType, client, tenantId, params.id),
      );
      const isRunning = row.status === 'pending' || row.status === 'processing';
      return {
        status: 200,
        headers: isRunning ? { 'retry-after': String(POLL_AFTER_SECONDS) } : {},
        document: { data: ingestionResource(row, publicUrl(), query.fields.get(INGESTIONS)), meta: {} },
      };
    },
  };
  return [create, list, get];
}

/** Aborted when the client disconnects before its request body has been read. */
function disconnectedBy(request: IncomingMessage): AbortSignal {
  const disconnected = new AbortController();
  onDisconnect(request, (error) => disconnected.abort(error));
  return disconnected.signal;
}
