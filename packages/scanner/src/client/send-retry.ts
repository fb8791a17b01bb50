import { createHash } from 'node:crypto';
import { assertValidHeaderValue, createJob, type RecordDefaults, textsOf, type Upload } from './send-file.ts';
import { INGESTIONS, MEDIA_TYPE, type Service } from './service.ts';

export interface RetryOptions extends RecordDefaults {
  /** Default: a hash of the ID and the defaults, so that repeated retries create only one job. */
  readonly idempotencyKey?: string | undefined;
}

/** Ingests the stored file of a job again. Throws a PushError if the service rejects the request. */
export async function sendRetry(service: Service, id: string, options: RetryOptions): Promise<Upload> {
  const { idempotencyKey } = options;
  if (idempotencyKey !== undefined) assertValidHeaderValue(idempotencyKey);
  const attributes = textsOf(options);
  const document = Buffer.from(JSON.stringify({ data: { type: 'ingestions', attributes } }));
  return await createJob(service, {
    method: 'POST',
    path: `${INGESTIONS}/${encodeURIComponent(id)}/retry`,
    headers: {
      'content-type': MEDIA_TYPE,
      'idempotency-key': idempotencyKey ?? hashOf(id, attributes),
    },
    body: async function* () {
      yield document;
    },
  });
}

function hashOf(id: string, attributes: Readonly<Record<string, string>>): string {
  return createHash('sha256')
    .update(JSON.stringify(['retry', id.toLowerCase(), attributes]))
    .digest('hex');
}
