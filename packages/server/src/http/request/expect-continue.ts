import type { IncomingMessage, ServerResponse } from 'node:http';

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
