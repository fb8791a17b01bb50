import { PushError } from './push-error.ts';
import { bodyOf, limitsDocument } from './response.ts';
import type { Service } from './service.ts';

/** The upload limits of the service. */
export interface Limits {
  readonly encodings: readonly string[];
  /** Maximum size of the request body. */
  readonly uploadMaxBytes: number;
  readonly inflatedMaxBytes: number;
}

/**
 * Reads the limits of the service. They are optional: if they cannot be read, files are sent uncompressed, and the
 * upload reports any problem with the service or the key.
 */
export async function readLimits(service: Service): Promise<Limits> {
  const attributes = await requestLimits(service);
  return {
    encodings: attributes?.encodings ?? [],
    uploadMaxBytes: attributes?.upload_max_bytes ?? Infinity,
    inflatedMaxBytes: attributes?.inflated_max_bytes ?? Infinity,
  };
}

async function requestLimits(service: Service) {
  try {
    const response = await service.send({ method: 'GET', path: '/limits', isOptional: true });
    if (response.status !== 200) return undefined;
    return limitsDocument.safeParse(bodyOf(response)).data?.data.attributes;
  } catch (error) {
    if (error instanceof PushError) return undefined;
    throw error;
  }
}
