import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Ingestion } from '../support/client.ts';
import { filePart, MULTIPART_TYPE, multipart, textPart } from '../support/multipart.ts';
import { fileOf, type PlannedUpload } from './planned-upload.ts';

const SLOW_PIECES = 12;
const SLOW_PAUSE_MS = 60;

/** The response to a request; `undefined` if the connection broke before the response was complete. */
export type UploadResponse =
  | { readonly status: 202; readonly id: string; readonly replayed: boolean }
  | { readonly status: number; readonly id: undefined; readonly code: string }
  | undefined;

/** Sends an upload once. */
export async function postUpload(url: string, key: string, plan: PlannedUpload): Promise<UploadResponse> {
  const body = multipart([textPart('coverage', plan.coverage), filePart(fileOf(plan), plan.fileName)]);
  const headers = {
    'content-type': MULTIPART_TYPE,
    ...(plan.idempotencyKey !== undefined && { 'idempotency-key': plan.idempotencyKey }),
  };
  const init: RequestInit = plan.isSlow ? { body: slowly(body), duplex: 'half' } : { body };
  const response = await createClient(url, key)
    .send<Ingestion>('/ingestions', { method: 'POST', headers, ...init })
    .catch(ofBrokenConnection);
  if (response === undefined) return undefined;
  const { status } = response;
  if (status !== 202)
    return { status, id: undefined, code: response.body.errors.map(({ code }) => code).join() };
  return {
    status,
    id: response.body.data.id,
    replayed: response.headers.get('idempotency-replayed') === 'true',
  };
}

/**
 * `fetch` throws a TypeError if a connection is refused or breaks; a truncated JSON response causes a SyntaxError.
 */
export function ofBrokenConnection(error: unknown): undefined {
  if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
  throw error;
}

function slowly(bytes: Buffer<ArrayBuffer>): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / SLOW_PIECES);
  let sent = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await sleep(SLOW_PAUSE_MS);
      controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      if (sent >= bytes.length) controller.close();
    },
  });
}
