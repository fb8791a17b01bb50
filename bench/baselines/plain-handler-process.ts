import { createServer } from 'node:http';
import { stopWhenInputEnds } from '../process/child.ts';
import { listenOnFreePort } from './listen-on-free-port.ts';
import type { PlainResponses } from './plain-handler.ts';

/** Headers that Node sets automatically. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

// An HTTP server that reads each request completely and returns the given response. Prints its port.
const responses: PlainResponses = JSON.parse(process.env.PLAIN_RESPONSES ?? '');
const server = createServer((request, response) => {
  const { status, headers, body } = request.method === 'POST' ? responses.post : responses.get;
  request.resume().once('end', () => {
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] ?? '';
      if (!OWN_HEADERS.has(name.toLowerCase())) response.setHeader(name, headers[at + 1] ?? '');
    }
    response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
});
stopWhenInputEnds(async () => {
  server.closeAllConnections();
  server.close();
});
console.log(JSON.stringify(await listenOnFreePort(server)));
