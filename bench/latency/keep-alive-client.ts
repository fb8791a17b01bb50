import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PlainResponse } from '../baselines/plain-handler.ts';

/** A low-overhead client that sends sequential requests on a single connection. */
export interface KeepAliveClient {
  readonly get: (path: string) => Promise<PlainResponse>;
  readonly post: (path: string, type: string, body: Buffer) => Promise<PlainResponse>;
  readonly end: () => void;
}

export function createKeepAliveClient(url: string, key: string): KeepAliveClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const authorization = `Api-Key ${key}`;
  const send = async (method: string, path: string, own: Record<string, string>, body?: Buffer) => {
    const sent = request(`${url}/api/v1${path}`, { method, agent, headers: { authorization, ...own } });
    const responded = once(sent, 'response');
    sent.end(body);
    const [response]: IncomingMessage[] = await responded;
    assert.ok(response?.statusCode);
    return { status: response.statusCode, headers: response.rawHeaders, body: await text(response) };
  };
  return {
    get: (path) => send('GET', path, {}),
    post: (path, type, body) =>
      send('POST', path, { 'content-type': type, 'content-length': String(body.length) }, body),
    end: () => agent.destroy(),
  };
}
