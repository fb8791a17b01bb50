import { bodyOf, readAnswer } from './answer.ts';
import { limitsDocument } from './documents.ts';
import { nameOf, type Service, type ServiceRequest } from './service.ts';

/** What an upload has to keep to, as far as the service states it. */
export interface Limits {
  readonly encodings: readonly string[];
  /** Of the request as it is sent. */
  readonly uploadMaxBytes: number;
  readonly inflatedMaxBytes: number;
}

/** A service that does not state its limits is taken to take plain files of any size. */
export async function readLimits(service: Service): Promise<Limits> {
  const request: ServiceRequest = { method: 'GET', path: '/limits' };
  const answer = await service.send(request);
  const { status } = answer;
  // What would meet the upload, too: a file is not sent only to hear it again.
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect || [401, 402, 403, 407, 429].includes(status) || status >= 500)
    readAnswer(answer, { request: nameOf(request), schema: limitsDocument });
  const stated = status === 200 ? limitsDocument.safeParse(bodyOf(answer)) : undefined;
  const attributes = stated?.data?.data.attributes;
  return {
    encodings: attributes?.encodings ?? [],
    uploadMaxBytes: attributes?.upload_max_bytes ?? Infinity,
    inflatedMaxBytes: attributes?.inflated_max_bytes ?? Infinity,
  };
}
