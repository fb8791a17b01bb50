import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client may continue to send the body of a rejected request, in milliseconds. */
const LINGER_MS = 30_000;

/**
 * Reads and discards the remaining body of a rejected request, so that the client receives the response. Closing the
 * connection immediately would reset it, and many clients would report the reset instead of the response (RFC 9112,
 * section 9.6). Resolves when no more data will arrive.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
  await new Promise<void>((resolve) => {
    request.once('end', resolve).once('close', resolve);
    request.on('error', () => resolve());
    request.resume();
  });
  clearTimeout(timer);
}

const continued = new WeakSet<IncomingMessage>();

/**
 * Sends `100 Continue` to a client that waits for it (RFC 9110, section 10.1.1). Call this function after authorizing
 * the request and before reading the body.
 */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (!isAwaitingContinue(request)) return;
  continued.add(request);
  response.writeContinue();
}

/** Whether the client is waiting for `100 Continue` before it sends the body. HTTP/1.0 clients never wait. */
export function isAwaitingContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.httpVersion !== '1.0' && !continued.has(request);
}
