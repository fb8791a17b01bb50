import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { stopWhenInputEnds } from '../process/child.ts';
import { listenOnFreePort } from './listen-on-free-port.ts';
import { DISCARD } from './plain-receiver.ts';
import { syncFolder } from './write-durably.ts';

// An HTTP server that returns 202 after writing the request body to disk or discarding it. Removes the file afterwards.
// Prints its port.
const { PLAIN_RECEIVER_FOLDER: folder = '' } = process.env;
const server = createServer(async (request, response) => {
  const file = path.join(folder, randomUUID());
  try {
    if (request.url?.startsWith(DISCARD)) await discard(request);
    else await receive(request, file);
    response.writeHead(202).end(JSON.stringify({ data: { id: '' } }));
  } catch (error) {
    response.writeHead(500).end(String(error));
  } finally {
    await rm(file, { force: true });
  }
});
stopWhenInputEnds(async () => {
  server.closeAllConnections();
  server.close();
});
console.log(JSON.stringify(await listenOnFreePort(server)));

async function receive(request: IncomingMessage, file: string): Promise<void> {
  {
    await using to = await open(file, 'wx');
    for await (const chunk of request) await to.appendFile(chunk);
    await to.sync();
  }
  await syncFolder(folder);
}

async function discard(request: IncomingMessage): Promise<void> {
  request.resume();
  await once(request, 'end');
}
