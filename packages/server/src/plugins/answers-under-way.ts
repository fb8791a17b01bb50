import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows of every connection what is being answered on it. */
export class AnswersUnderWay {
  /** In the order of the requests, which is that of the answers: only the first of a connection can have sent anything. */
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>();

  /** Watches all requests of a server. */
  watch(server: Server): void {
    const note = (request: IncomingMessage, response: ServerResponse) => this.#note(request.socket, response);
    // Before anything can answer them.
    server.prependListener('request', note).prependListener('checkContinue', note);
  }

  /** Whether an answer on this connection has begun and not ended, so that nothing else can be said on it. */
  isInTheMiddle(socket: Socket): boolean {
    const [first] = this.#bySocket.get(socket) ?? [];
    return first?.headersSent === true && !first.writableEnded;
  }

  #note(socket: Socket, response: ServerResponse): void {
    const answers = this.#bySocket.get(socket) ?? new Set();
    this.#bySocket.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  }
}
