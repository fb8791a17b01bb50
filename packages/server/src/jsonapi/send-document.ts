import type { FastifyReply } from 'fastify';
import { type Document, MEDIA_TYPE } from './document.ts';

/** Sends a document as bytes: to a text Fastify would add `charset`, which the media type does not allow. */
export async function sendDocument(reply: FastifyReply, document: Document): Promise<FastifyReply> {
  return await reply.header('content-type', MEDIA_TYPE).send(Buffer.from(JSON.stringify(document)));
}
