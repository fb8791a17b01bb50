import type { IncomingMessage } from 'node:http';

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
