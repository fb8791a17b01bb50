import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { spanOf } from '../../http/plugins/watch-requests.ts';
import { readText, type TextPart, textPart } from '../../ingest/upload/text-parts.ts';
import { disconnectSignal } from '../../lib/client-disconnected.ts';
import { INGESTIONS, ingestionResourceType, ingestions } from '../../resources/ingestions.ts';
import { acceptRetry } from './accept-retry.ts';
import {
  acceptedDescription,
  acceptedResponse,
  IDEMPOTENCY_HEADER,
  readIdempotencyKey,
} from './accepted-job.ts';

/** Validates a default like the text part of an upload. */
function defaultText(part: TextPart) {
  return textPart(part).transform((value, context) => {
    const { text, fault } = readText(part, value);
    if (fault === undefined) return text;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
}

/** The request document for ingesting a stored file again. */
const ingestionRetry = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(INGESTIONS),
      attributes: z
        .strictObject({
          provider: defaultText('provider')
            .optional()
            .meta({ description: 'Default for records that do not specify a provider.' }),
          account: defaultText('account')
            .optional()
            .meta({ description: 'Default for records that do not specify an account.' }),
        })
        .default({}),
    }),
  })
  .meta({ id: 'IngestionRetry', description: 'The defaults of the new job.' });

/** The endpoint that ingests a stored file again, with other defaults. */
export function ingestionRetryEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { rates, uploadSlots, shutdownDeadline } = dependencies;
  return [
    withBody({
      method: 'POST',
      path: '/ingestions/{id}/retry',
      resourceType: ingestionResourceType,
      operationId: 'retryIngestion',
      tag: 'Ingestions',
      summary: 'Ingest a stored file again',
      description:
        'Creates a new job from the file of an ended job, with other defaults and the same other form fields. All records are processed again. The new job does not use the defaults of the original job: if the document omits `provider` or `account`, there is no such default. The original job does not change. Counts as an upload in the rate limit. Returns `409` (`ingestion_in_progress`) if the original job has not ended, and `410` if its file was removed.',
      access: ingestionResourceType.access,
      query: { fields: { [INGESTIONS]: ingestions.attributes } },
      headers: IDEMPOTENCY_HEADER,
      body: ingestionRetry,
      responses: {
        202: acceptedDescription('The file has been copied durably and will be processed again.'),
      },
      errors: [410, 422],
      handle: async (call, { data }) => {
        const { request, reply, access, params } = call;
        const { tenantId, keyId } = access;
        await rates.countUpload(keyId, reply);
        const idempotencyKey = readIdempotencyKey(call);
        const signal = AbortSignal.any([disconnectSignal(reply.raw), shutdownDeadline]);
        const { provider = null, account = null } = data.attributes;
        const releaseSlot = await uploadSlots.take(tenantId, signal);
        const inserted = await acceptRetry(dependencies, {
          log: request.log,
          tenantId,
          apiKeyId: keyId,
          idempotencyKey,
          requestId: request.id,
          span: spanOf(request),
          originId: params.id,
          defaults: { provider, account },
          signal,
        }).finally(releaseSlot);
        const { ingestion, replayed } = inserted;
        request.log.info(
          { tenantId, ingestionId: ingestion.id, originId: params.id, records: ingestion.total, replayed },
          'retry accepted',
        );
        return acceptedResponse(dependencies, call, inserted);
      },
    }),
  ];
}
