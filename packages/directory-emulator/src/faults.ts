import type { FastifyReply } from 'fastify';

/** A response to send instead of the regular one, to test error handling in clients. */
export interface Fault {
  /**
   * A path, with or without its query, or a regular expression that matches the path and query, such as `/\/rules\?/`.
   */
  readonly path: string | RegExp;
  /** Default: any method. */
  readonly method?: string;
  /**
   * A number is an HTTP status. `disconnect` closes the connection without a response. `html` returns 200 with a web
   * page, as a proxy or an unrelated web server would. `invalid-json` returns 200 with truncated JSON. `repeat-cursor`
   * returns the regular response, but always with a link to the same next page.
   */
  readonly response: number | 'disconnect' | 'html' | 'invalid-json' | 'repeat-cursor';
  /** Response body if the fault is a status. Default: an error in the vendor's format. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Remaining uses, decremented for each request. Default: unlimited. */
  times?: number;
}

const CODES: Readonly<Record<number, string>> = {
  400: 'E0000001',
  401: 'E0000011',
  403: 'E0000006',
  404: 'E0000007',
  429: 'E0000047',
};

/** Returns the first fault that applies to a request, and decrements its remaining uses. */
export function takeFault(faults: readonly Fault[], method: string, url: string): Fault | undefined {
  const found = faults.find((fault) => matches(fault, method, url));
  if (found?.times !== undefined) found.times -= 1;
  return found;
}

function matches(fault: Fault, method: string, url: string): boolean {
  if (fault.times !== undefined && fault.times <= 0) return false;
  if (fault.method !== undefined && fault.method !== method) return false;
  if (typeof fault.path === 'string') return fault.path === url || fault.path === pathOf(url);
  // Unlike `test`, `search` ignores `lastIndex` of global expressions.
  return url.search(fault.path) !== -1;
}

function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** Sends the response of a fault. Returns false if the regular response must still be sent. */
export function sendFault(fault: Fault, reply: FastifyReply): boolean {
  if (fault.headers !== undefined) reply.headers(fault.headers);
  switch (fault.response) {
    case 'repeat-cursor':
      return false;
    case 'disconnect':
      reply.hijack();
      reply.raw.destroy();
      return true;
    case 'html':
      reply.type('text/html').send('<!doctype html><title>Sign in</title><p>This is not the API.');
      return true;
    case 'invalid-json':
      reply.type('application/json').send('[{"id": "0oa1", "na');
      return true;
    default:
      reply.code(fault.response).send(fault.body ?? vendorError(fault.response));
      return true;
  }
}

function vendorError(status: number): object {
  const errorCode = CODES[status] ?? 'E0000009';
  return {
    errorCode,
    errorSummary: `Injected fault ${status}`,
    errorLink: errorCode,
    errorId: 'oaeInjected',
    errorCauses: [],
  };
}
