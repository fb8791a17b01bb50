import type { IncomingMessage, ServerResponse } from 'node:http';

const asked = new WeakSet<IncomingMessage>();

/**
 * Asks a client that waits for `100 Continue` for its body (RFC 9110, section 10.1.1), once it has been let in: a body that
 * is asked for has to be read.
 */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (!isAwaitingContinue(request)) return;
  asked.add(request);
  response.writeContinue();
}

/** Whether the client holds its body back until it is asked for it. One that speaks HTTP/1.0 knows no such wait. */
export function isAwaitingContinue(request: IncomingMessage): boolean {
  return request.headers.expect !== undefined && request.httpVersion !== '1.0' && !asked.has(request);
}
