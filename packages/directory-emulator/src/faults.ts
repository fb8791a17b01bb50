import type { FastifyReply } from 'fastify';

/** A response to send in place of the right one, to test how a client handles it. */
export interface Fault {
  /** A path, with or without its query, or an expression for both: `/\/rules\?/`. */
  readonly path: string | RegExp;
  /** Default: any. */
  readonly method?: string;
  /**
   * A number is the HTTP status. `disconnect`: the connection ends without a response. `html`: 200 with a page, as a
   * wrong domain or a proxy gives. `invalid-json`: 200 with JSON that breaks off. `repeat-cursor`: the right response,
   * but its next page is always the same one.
   */
  readonly response: number | 'disconnect' | 'html' | 'invalid-json' | 'repeat-cursor';
  /** Goes with a status; default an error in the vendor's shape. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often it may still happen; counts down. Default: always. */
  times?: number;
}

const CODES: Readonly<Record<number, string>> = {
  400: 'E0000001',
  401: 'E0000011',
  403: 'E0000006',
  404: 'E0000007',
  429: 'E0000047',
};

/** Finds the fault that this request is to meet, and uses it up by one. */
export function takeFault(faults: readonly Fault[], method: string, url: string): Fault | undefined {
  const found = faults.find((fault) => meets(fault, method, url));
  if (found?.times !== undefined) found.times -= 1;
  return found;
}

function meets(fault: Fault, method: string, url: string): boolean {
  if (fault.times !== undefined && fault.times <= 0) return false;
  if (fault.method !== undefined && fault.method !== method) return false;
  if (typeof fault.path === 'string') return fault.path === url || fault.path === pathOf(url);
  // `search` starts at the beginning even where the expression is a global one.
  return url.search(fault.path) !== -1;
}

function pathOf(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** Sends the fault's response; returns false if the right response must still be sent. */
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
