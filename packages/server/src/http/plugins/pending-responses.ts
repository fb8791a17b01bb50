import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks the pending responses of every connection. */
export class PendingResponses {
  /** In request order. Only the first response on a connection can have started to send data. */
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Tracks all requests to a server. */
  watch(server: Server): void {
    const track = (request: IncomingMessage, response: ServerResponse) =>
      this.#track(request.socket, response);
    // Track the response before any handler can send it.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, track);
  }

  /** Whether a response on this connection has been started but not finished, so that nothing else can be sent. */
  isSending(socket: Socket): boolean {
    const [first] = this.#bySocket.get(socket) ?? [];
    return first?.headersSent === true && !first.writableEnded;
  }

  /**
   * Resolves when the responses to all completely received requests on this connection have been sent, so that anything
   * sent afterwards cannot be mistaken for one of these responses. Resolves immediately if there are none.
   */
  async ended(socket: Socket): Promise<void> {
    const waiting = [...(this.#bySocket.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(waiting.map((response) => once(response, 'close')));
  }

  #track(socket: Socket, response: ServerResponse): void {
    const responses = this.#bySocket.get(socket) ?? new Set();
    this.#bySocket.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  }
}
