import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Asks a client that waits for `100 Continue` for its body (RFC 9110, section 10.1.1), once it has been let in: a body that
 * is asked for has to be read. One that speaks HTTP/1.0 knows no such answer.
 */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect !== undefined && request.httpVersion !== '1.0') response.writeContinue();
}
