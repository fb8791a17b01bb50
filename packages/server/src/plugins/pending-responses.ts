import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows of every connection what is being answered on it. */
export class PendingResponses {
  /** In the order of the requests, which is that of the answers: only the first of a connection can have sent anything. */
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Watches all requests of a server. */
  watch(server: Server): void {
    const note = (request: IncomingMessage, response: ServerResponse) => this.#note(request.socket, response);
    // Before anything can answer them.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.prependListener(event, note);
  }

  /** Whether an answer on this connection has begun and not ended, so that nothing else can be said on it. */
  isInTheMiddle(socket: Socket): boolean {
    const [first] = this.#bySocket.get(socket) ?? [];
    return first?.headersSent === true && !first.writableEnded;
  }

  /**
   * Resolves when all requests that came whole on this connection have been answered: what follows them is no answer to
   * them. At once where there are none.
   */
  async ended(socket: Socket): Promise<void> {
    const waiting = [...(this.#bySocket.get(socket) ?? [])].filter(({ req }) => req.complete);
    await Promise.all(waiting.map((response) => once(response, 'close')));
  }

  #note(socket: Socket, response: ServerResponse): void {
    const answers = this.#bySocket.get(socket) ?? new Set();
    this.#bySocket.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  }
}
