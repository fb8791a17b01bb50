import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError, badRequest, timedOut } from '../../jsonapi/errors.ts';
import { onDisconnect } from '../../lib/client-disconnected.ts';

/** Maximum size of a document in a request. */
export const DOCUMENT_MAX_BYTES = 2 ** 16;

/**
 * Reads a body as text. Throws an ApiError: 413 if it is too large, 408 if it is not received in time, 400 if it is not
 * UTF-8 (RFC 8259, section 8.1). Throws ClientDisconnected if the connection closes.
 */
export async function readText(request: IncomingMessage, withinSeconds: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  // `for await` is not used, because leaving the loop early would destroy the request before the response is sent.
  const read = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow(withinSeconds)), withinSeconds * 1000);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DOCUMENT_MAX_BYTES) reject(tooLarge(bytes));
      else chunks.push(chunk);
    });
    request.on('end', resolve);
    onDisconnect(request, reject);
  });
  try {
    await read;
  } finally {
    clearTimeout(timer);
    request.removeAllListeners('data');
  }
  const content = Buffer.concat(chunks);
  if (!isUtf8(content)) throw badRequest('invalid_json', 'The document is not valid UTF-8.', { pointer: '' });
  return content.toString();
}

function tooSlow(seconds: number): ApiError {
  return timedOut(
    'document_too_slow',
    `The document was not received within ${seconds} seconds. Try again.`,
    {
      limit: 'document_seconds',
      max: seconds,
    },
  );
}

function tooLarge(seen: number): ApiError {
  return new ApiError({
    status: 413,
    code: 'document_too_large',
    detail: `The document is larger than ${DOCUMENT_MAX_BYTES.toLocaleString('en')} bytes.`,
    meta: { limit: 'document_max_bytes', max: DOCUMENT_MAX_BYTES, seen },
  });
}
