import { bodyOf } from './answer.ts';
import { limitsDocument } from './documents.ts';
import { PushError } from './push-error.ts';
import type { Service } from './service.ts';

/** What an upload has to keep to, as far as the service states it. */
export interface Limits {
  readonly encodings: readonly string[];
  /** Of the request as it is sent. */
  readonly uploadMaxBytes: number;
  readonly inflatedMaxBytes: number;
}

/**
 * The limits of the service. No push depends on them: whatever keeps them from being read, files are sent as they are,
 * and what is wrong with the service or the key is reported by the upload.
 */
export async function readLimits(service: Service): Promise<Limits> {
  const attributes = await statedLimits(service);
  return {
    encodings: attributes?.encodings ?? [],
    uploadMaxBytes: attributes?.upload_max_bytes ?? Infinity,
    inflatedMaxBytes: attributes?.inflated_max_bytes ?? Infinity,
  };
}

async function statedLimits(service: Service) {
  try {
    const answer = await service.send({ method: 'GET', path: '/limits', isOptional: true });
    if (answer.status !== 200) return undefined;
    return limitsDocument.safeParse(bodyOf(answer)).data?.data.attributes;
  } catch (error) {
    if (error instanceof PushError) return undefined;
    throw error;
  }
}
