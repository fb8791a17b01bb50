import { ApiError } from '../jsonapi/errors.ts';
import { TenantSlots } from '../tenant-slots.ts';

export interface UploadSlotLimits {
  readonly uploadsAtOnce: number;
  readonly uploadQueueSeconds: number;
}

const RETRY_SECONDS = 10;

/** Uploads in turn, before a byte of their body is read. Whoever waits in vain gets an ApiError (503). */
export function createUploadSlots({ uploadsAtOnce, uploadQueueSeconds }: UploadSlotLimits): TenantSlots {
  return new TenantSlots({
    atOnce: uploadsAtOnce,
    queueSeconds: uploadQueueSeconds,
    tooMany: (which, max) => {
      const uploads = `${max} ${max === 1 ? 'upload' : 'uploads'}${which === 'tenant' ? ' of a tenant' : ''}`;
      return new ApiError({
        status: 503,
        code: 'too_many_uploads',
        detail: `This process reads ${uploads} at once, and this one has waited ${uploadQueueSeconds} s for its turn; nothing of it was read. Try again in ${RETRY_SECONDS} s`,
        headers: { 'retry-after': String(RETRY_SECONDS) },
        meta: { limit: which === 'tenant' ? 'uploads_at_once_per_tenant' : 'uploads_at_once', max },
      });
    },
  });
}
