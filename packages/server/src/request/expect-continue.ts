import type { IncomingMessage, ServerResponse } from 'node:http';

const continued = new WeakSet<IncomingMessage>();

/**
 * Sends `100 Continue` to a client that waits for it (RFC 9110, section 10.1.1). Call it once the request is
 * authorized: the body must be read afterwards.
 */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (!isAwaitingContinue(request)) return;
  continued.add(request);
  response.writeContinue();
}

/** Whether the client waits for `100 Continue` before it sends its body. HTTP/1.0 clients never do. */
export function isAwaitingContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.httpVersion !== '1.0' && !continued.has(request);
}
