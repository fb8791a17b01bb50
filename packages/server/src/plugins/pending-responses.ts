import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks the pending responses of every connection. */
export class PendingResponses {
  /** In the order of requests and responses: only the first response of a connection can have sent anything. */
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Tracks all requests of a server. */
  watch(server: Server): void {
    const track = (request: IncomingMessage, response: ServerResponse) =>
      this.#track(request.socket, response);
    // Before any handler can respond.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, track);
  }

  /** Whether a response on this connection was started and not finished, so that nothing else can be sent. */
  isSending(socket: Socket): boolean {
    const [first] = this.#bySocket.get(socket) ?? [];
    return first?.headersSent === true && !first.writableEnded;
  }

  /**
   * Resolves when all requests received completely on this connection have their responses, so that anything sent
   * afterwards is not taken for one of them. Resolves immediately if there are none.
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
