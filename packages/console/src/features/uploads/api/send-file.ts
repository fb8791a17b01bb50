import { authorization, isUnauthorized, MEDIA_TYPE, readBody } from '../../../lib/api/api.ts';
import { toRequestError, Unreachable } from '../../../lib/api/api-error.ts';
import { endRejectedSession } from '../../../lib/api/end-rejected-session.ts';
import type { Ingestion } from '../../../lib/api/types.ts';
import type { Session } from '../../../lib/session.ts';

interface SendFileOptions {
  readonly baseUrl: string;
  readonly session: Session;
  readonly file: File;
  /** The same for every try of one upload: the service makes one job of them. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Called with the share of the file that is sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Uploads a file, and answers with its job. By XMLHttpRequest: `fetch` does not say how much is sent. Throws a
 * `RequestError`, or the reason of the signal. A key that is not accepted any more ends the session.
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
  request.onerror = () => reject(new Unreachable(new TypeError('the connection broke')));
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

/** The answer is the service's own, so that its type tells enough. */
function isIngestion(body: unknown): body is { readonly data: Ingestion } {
  if (typeof body !== 'object' || body === null || !('data' in body)) return false;
  const { data } = body;
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'ingestions';
}
