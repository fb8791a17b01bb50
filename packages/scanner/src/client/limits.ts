import { limitsDocument } from './documents.ts';
import { PushError } from './push-error.ts';
import { bodyOf } from './response.ts';
import type { Service } from './service.ts';

/** What an upload has to keep to, as far as the service states it. */
export interface Limits {
  readonly encodings: readonly string[];
  /** Of the request as it is sent. */
  readonly uploadMaxBytes: number;
  readonly inflatedMaxBytes: number;
}

/**
 * The limits of the service. No push depends on them: if they cannot be read, for whatever reason, files are sent as they
 * are, and the upload reports what is wrong with the service or the key.
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
    const response = await service.send({ method: 'GET', path: '/limits', isOptional: true });
    if (response.status !== 200) return undefined;
    return limitsDocument.safeParse(bodyOf(response)).data?.data.attributes;
  } catch (error) {
    if (error instanceof PushError) return undefined;
    throw error;
  }
}
