import { authorization, isUnauthorized, MEDIA_TYPE, readBody } from '../../../lib/api/api.ts';
import { toRequestError, Unreachable } from '../../../lib/api/api-error.ts';
import { endRejectedSession } from '../../../lib/api/end-rejected-session.ts';
import type { Ingestion } from '../../../lib/api/types.ts';
import type { Session } from '../../../lib/session.ts';

interface SendFileOptions {
  readonly baseUrl: string;
  readonly session: Session;
  readonly file: File;
  /** The key is the same for all attempts of an upload, so that the service creates only one job. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Called with the fraction of the file that has been sent, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Uploads a file and returns its job. Uses XMLHttpRequest because `fetch` does not report upload progress. Throws a
 * `RequestError`, or the abort reason of the signal. The session ends if the service no longer accepts the key.
 */
export function sendFile(options: SendFileOptions): Promise<Ingestion> {
  const { baseUrl, session, file, idempotencyKey, signal, onProgress } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Ingestion>();
  const request = new XMLHttpRequest();
  request.open('POST', `${baseUrl}/api/v1/ingestions`);
  const { apiKey } = session.state;
  const sentWith = apiKey === undefined ? null : authorization(apiKey);
  if (sentWith !== null) request.setRequestHeader('authorization', sentWith);
  request.setRequestHeader('accept', MEDIA_TYPE);
  request.setRequestHeader('idempotency-key', idempotencyKey);
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  request.onerror = () => reject(new Unreachable(new TypeError('The connection was lost')));
  request.onload = () => {
    const body = readBody(request.responseText);
    if (request.status === 202 && isIngestion(body)) return resolve(body.data);
    const { status } = request;
    const error = toRequestError(
      { status, headers: { get: (name) => request.getResponseHeader(name) } },
      body,
    );
    if (sentWith !== null && isUnauthorized(session, status, sentWith))
      void endRejectedSession({ baseUrl, session }, sentWith, error.message);
    reject(error);
  };
  const abort = () => {
    request.abort();
    reject(signal.reason);
  };
  signal.addEventListener('abort', abort);
  const form = new FormData();
  form.append('file', file, file.name);
  request.send(form);
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/** Checks only the resource type, because the service is trusted to return valid resources. */
function isIngestion(body: unknown): body is { readonly data: Ingestion } {
  if (typeof body !== 'object' || body === null || !('data' in body)) return false;
  const { data } = body;
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'ingestions';
}
