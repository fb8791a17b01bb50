import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** Receives OTLP/JSON over HTTP, like a collector. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The headers of the last request. */
  readonly headers: () => Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Payload {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly attributes: readonly Attribute[];
        readonly status: { readonly code: number };
      }[];
    }[];
  }[];
}

const ERROR = 2;

/** With `isSilent`, the collector accepts connections but never responds. */
export async function startTraceCollector({ isSilent = false } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let headers: Readonly<Record<string, unknown>> = {};
  const server = createServer(async (request, response) => {
    headers = request.headers;
    if (isSilent) return;
    if (request.url !== '/v1/traces') {
      response.writeHead(404).end();
      return;
    }
    const payload: Payload = JSON.parse(await text(request));
    for (const { resource, scopeSpans } of payload.resourceSpans) {
      const service = String(read(resource.attributes)['service.name']);
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { traceId, spanId, parentSpanId = '', name, attributes, status } = span;
        const isError = status.code === ERROR;
        spans.push({ service, traceId, spanId, parentSpanId, name, attributes: read(attributes), isError });
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    headers: () => headers,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function read(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
