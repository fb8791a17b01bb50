import type { IncomingMessage, ServerResponse } from 'node:http';

/** The client closed the connection before the response was complete. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection before its response was complete');
    this.name = 'ClientDisconnected';
  }
}

/**
 * Calls the listener once if the client disconnects before the request has been read to its end, or immediately if the
 * client has already disconnected, because no later event would report it. Unread data is lost when the connection
 * closes, even if the request was received completely.
 */
export function onDisconnect(request: IncomingMessage, listener: (error: ClientDisconnected) => void): void {
  const close = () => {
    if (!request.readableEnded) listener(new ClientDisconnected());
  };
  if (request.destroyed) close();
  else request.once('close', close);
}

/** Aborted when the client disconnects before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  const close = () => {
    if (!response.writableEnded) disconnected.abort(new ClientDisconnected());
  };
  if (response.destroyed) close();
  else response.once('close', close);
  return disconnected.signal;
}
