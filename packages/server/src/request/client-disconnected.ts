import type { IncomingMessage, ServerResponse } from 'node:http';

/** The client went away before it had its answer; there is nobody to answer. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection before its response was complete');
    this.name = 'ClientDisconnected';
  }
}

/**
 * Tells once when the client goes away before the request has been read to its end, and at once where it has gone
 * already: no event ever says that again. A request that has come whole but was not read is lost with its connection.
 */
export function onDisconnect(request: IncomingMessage, tell: (gone: ClientDisconnected) => void): void {
  const close = () => {
    if (!request.readableEnded) tell(new ClientDisconnected());
  };
  if (request.destroyed) close();
  else request.once('close', close);
}

/** Aborted when the client goes away before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const close = () => {
    if (!response.writableEnded) left.abort(new ClientDisconnected());
  };
  if (response.destroyed) close();
  else response.once('close', close);
  return left.signal;
}
