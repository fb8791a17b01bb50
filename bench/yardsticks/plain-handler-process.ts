import { createServer } from 'node:http';
import { stopWithInput } from '../process/child.ts';
import { listenAnywhere } from './listen-anywhere.ts';
import type { PlainAnswers } from './plain-handler.ts';

/** What Node adds by itself, or frames the body with. */
const OWN_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Reads a request to its end and answers what it was given; prints its port. */
const answers: PlainAnswers = JSON.parse(process.env.PLAIN_ANSWERS ?? '');
const server = createServer((request, response) => {
  const { status, headers, body } = request.method === 'POST' ? answers.post : answers.get;
  request.resume().once('end', () => {
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] ?? '';
      if (!OWN_HEADERS.has(name.toLowerCase())) response.setHeader(name, headers[at + 1] ?? '');
    }
    response.writeHead(status, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
});
stopWithInput(async () => {
  server.closeAllConnections();
  server.close();
});
console.log(JSON.stringify(await listenAnywhere(server)));
