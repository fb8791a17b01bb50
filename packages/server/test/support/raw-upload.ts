import { connect } from 'node:net';
import { MULTIPART_TYPE } from './multipart.ts';

/**
 * Sends only the request headers of a POST to /ingestions with a 1 GB file. Resolves with the received data: the
 * complete response, or only `100 Continue`.
 */
export async function announceUpload(
  url: string,
  key: string,
  headers: readonly string[] = [],
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [
    'POST /api/v1/ingestions HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Authorization: Api-Key ${key}`,
    `Content-Type: ${MULTIPART_TYPE}`,
    `Content-Length: ${2 ** 30}`,
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let received = '';
  for await (const bytes of socket) {
    received += String(bytes);
    if (isWhole(received)) break;
  }
  socket.destroy();
  return received;
}

function isWhole(received: string): boolean {
  const [head = '', body] = received.split('\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return body !== undefined && Buffer.byteLength(body) >= Number(length ?? 0);
}
