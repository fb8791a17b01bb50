import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';

/** A request received by a test server. */
export interface Received {
  readonly method: string;
  /** The path and query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, or `undefined` if it was not read to the end. */
  form?: ReceivedForm;
}

export interface ReceivedForm {
  /** The body as transmitted. */
  readonly raw: Buffer;
  /** The name of each part in order, with its text or `file`. */
  readonly parts: readonly (readonly [name: string, text: string])[];
  readonly file: ReceivedFile | undefined;
}

interface ReceivedFile {
  readonly name: string;
  readonly encoding: 'identity' | 'gzip' | 'zstd';
  /** The file content as transmitted and after decompression. */
  readonly sent: Buffer;
  readonly content: Buffer;
}

/** Reads a request body with the form parser and decompressors in Node.js. */
export async function readForm(request: IncomingMessage): Promise<ReceivedForm | undefined> {
  const raw = await buffer(request);
  const type = request.headers['content-type'];
  if (type === undefined || raw.length === 0) return undefined;
  const parts: [string, string][] = [];
  let file: ReceivedFile | undefined;
  // Copies the bytes, because the Response type requires an unshared buffer.
  const form = await new Response(Uint8Array.from(raw), { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form) {
    parts.push([name, typeof value === 'string' ? value : 'file']);
    if (typeof value !== 'string') file = decoded(value.name, Buffer.from(await value.arrayBuffer()));
  }
  return { raw, parts, file };
}

/** Magic bytes (RFC 1952, section 2.3.1, and RFC 8878, section 3.1.1). */
function decoded(name: string, sent: Buffer): ReceivedFile {
  const start = sent.toString('hex', 0, 4);
  if (start.startsWith('1f8b')) return { name, encoding: 'gzip', sent, content: zlib.gunzipSync(sent) };
  if (start === '28b52ffd') return { name, encoding: 'zstd', sent, content: zlib.zstdDecompressSync(sent) };
  return { name, encoding: 'identity', sent, content: sent };
}
