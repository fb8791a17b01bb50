import { ApiError } from '../../jsonapi/errors.ts';
import { TenantSlots } from '../../lib/tenant-slots.ts';

export interface UploadSlotLimits {
  readonly uploadsAtOnce: number;
  readonly uploadQueueSeconds: number;
}

const RETRY_SECONDS = 10;

/**
 * Creates the slots that uploads wait for before their body is read. An upload that waits too long fails with an
 * ApiError (503).
 */
export function createUploadSlots({ uploadsAtOnce, uploadQueueSeconds }: UploadSlotLimits): TenantSlots {
  return new TenantSlots({
    atOnce: uploadsAtOnce,
    queueSeconds: uploadQueueSeconds,
    tooMany: (scope, max) => {
      const uploads = `${max} concurrent ${max === 1 ? 'upload' : 'uploads'}${scope === 'tenant' ? ' per tenant' : ''}`;
      return new ApiError({
        status: 503,
        code: 'too_many_uploads',
        detail: `The upload waited ${uploadQueueSeconds} seconds in the queue, because the server accepts at most ${uploads}. Try again in ${RETRY_SECONDS} seconds.`,
        headers: { 'retry-after': String(RETRY_SECONDS) },
        meta: { limit: scope === 'tenant' ? 'uploads_at_once_per_tenant' : 'uploads_at_once', max },
      });
    },
  });
}
