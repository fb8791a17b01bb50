import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, describe, it, mock } from 'node:test';

/** The addresses of a host name whose owner changes them with every question. */
let addresses: string[] = [];
const lookup = mock.method(dns, 'lookup', async () => {
  const address = addresses.shift();
  if (address === undefined) throw new Error('the name was resolved too often');
  return [{ address, family: 4 }];
});
// Modules that are imported later use the mock.
syncBuiltinESMExports();
const { sendRequest } = await import('../../src/webhooks/send-request.ts');

describe('a request to a host name whose address changes', () => {
  after(() => {
    lookup.mock.restore();
    syncBuiltinESMExports();
  });

  const request = { headers: {}, body: '{}', signal: new AbortController().signal };

  it('is sent to the address that was checked, without resolving the name again', async () => {
    const server = createServer((_request, response) => response.end('received')).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      addresses = ['127.0.0.1'];
      const url = `http://changing.test:${port}/`;
      const response = await sendRequest({ ...request, url, allowsPrivateAddresses: true });
      assert.deepEqual(response, { status: 200, text: 'received' });
      assert.deepEqual(addresses, []);
    } finally {
      server.close();
    }
  });

  it('is not sent once the address is private', async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      addresses = ['127.0.0.1'];
      const url = `https://changing.test:${port}/`;
      await assert.rejects(sendRequest({ ...request, url, allowsPrivateAddresses: false }), {
        message: 'The host has an address that is not public.',
      });
      assert.equal(connections, 0);
    } finally {
      server.close();
    }
  });
});
