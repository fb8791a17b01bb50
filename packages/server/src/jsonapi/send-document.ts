import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { MEDIA_TYPE } from './document.ts';
import { writeJson } from './verbatim-json.ts';

/**
 * Sends a document as bytes, because Fastify adds a `charset` parameter to the Content-Type of strings, which the
 * JSON:API media type does not allow. The whole body is sent immediately, but the response stream does not end until
 * `end` resolves.
 */
export async function sendDocument(
  reply: FastifyReply,
  document: unknown,
  end?: Promise<void>,
): Promise<FastifyReply> {
  const bytes = Buffer.from(writeJson(document));
  reply.header('content-type', MEDIA_TYPE);
  if (end === undefined) return await reply.send(bytes);
  async function* bytesThenWait(): AsyncGenerator<Buffer> {
    yield bytes;
    await end;
  }
  reply.header('content-length', bytes.length);
  return await reply.send(Readable.from(bytesThenWait(), { objectMode: false }));
}
