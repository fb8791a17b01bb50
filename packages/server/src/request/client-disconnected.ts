import type { IncomingMessage, ServerResponse } from 'node:http';

/** The client closed the connection before it received its response, so none can be sent. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection before its response was complete');
    this.name = 'ClientDisconnected';
  }
}

/**
 * Calls the listener once when the client disconnects before the request was read to its end, or immediately if it
 * already has: no later event would report it. A complete request that was not read is lost with its connection.
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
