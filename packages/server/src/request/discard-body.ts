import type { IncomingMessage } from 'node:http';

/** How long a client may go on sending a body that was refused, in milliseconds. */
const LINGER_MS = 30_000;

/**
 * Reads and drops what a refused request still sends, so that the client gets to read the answer: closing on
 * it at once would reset the connection, and many clients then report that instead (RFC 9112, section 9.6).
 * Resolves when nothing more will come.
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
