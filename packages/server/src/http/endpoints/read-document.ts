import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { MEDIA_TYPE } from '../../jsonapi/document.ts';
import { ApiError, badRequest, timedOut } from '../../jsonapi/errors.ts';
import { onDisconnect } from '../../lib/client-disconnected.ts';
import { messageOf } from '../../lib/errors.ts';
import { sendContinue } from '../plugins/request-body.ts';
import { describeIssue } from './describe-issue.ts';

/** A request that may contain a JSON:API document. */
export interface DocumentRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Time limit for receiving the document, in seconds. */
  readonly documentSeconds: number;
}

/**
 * Reads a JSON:API document and validates it against a schema. Throws an ApiError: 415 for any other media type
 * (JSON:API 1.1, "Content Negotiation"), 413 if the document is too large, 408 if it is not received in time, 409 for a
 * different resource type or id, and 400 with a pointer to the first invalid member.
 */
export async function readBody<Body>(
  { request, reply, documentSeconds }: DocumentRequest,
  schema: z.ZodType<Body>,
): Promise<Body> {
  assertMediaType(request.headers['content-type']);
  sendContinue(request.raw, reply.raw);
  const document = parseJson(await readText(request.raw, documentSeconds));
  const parsed = schema.safeParse(document, { error: describeIssue, reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidDocument(parsed.error);
}

function assertMediaType(contentType: string | undefined): void {
  if (contentType?.trim().toLowerCase() === MEDIA_TYPE) return;
  throw new ApiError({
    status: 415,
    code: 'unsupported_media_type',
    detail: `Send the document as ${MEDIA_TYPE}, without parameters.`,
    source: { header: 'Content-Type' },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest('invalid_json', `The document is not valid JSON: ${messageOf(error)}.`, { pointer: '' });
  }
}

/** Returns the error for the first invalid member. */
function invalidDocument({ issues: [issue] }: z.ZodError): ApiError {
  if (issue === undefined) throw new TypeError('a validation error must have an issue');
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const pointer = [...issue.path, ...unknown].map((key) => `/${escapeKey(String(key))}`).join('');
  return (
    mismatchOf(issue, pointer) ??
    badRequest('invalid_document', issue.message.endsWith('.') ? issue.message : `${issue.message}.`, {
      pointer,
    })
  );
}

/** Returns the 409 error for an invalid type or ID. One that is missing or not a string is an invalid document. */
function mismatchOf({ code, input, message }: z.core.$ZodIssue, pointer: string): ApiError | undefined {
  if (pointer === '/data/id' && code === 'unrecognized_keys')
    return resourceMismatch(pointer, 'This document must not have an ID. Remove it.');
  if (typeof input !== 'string') return undefined;
  if (pointer === '/data/type') return resourceMismatch(pointer, message);
  return pointer === '/data/id' ? resourceMismatch(pointer) : undefined;
}

/** RFC 6901, section 3. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Maximum size of a document in a request. */
export const DOCUMENT_MAX_BYTES = 2 ** 16;

/**
 * Reads a body as text. Throws an ApiError: 413 if it is too large, 408 if it is not received in time, 400 if it is not
 * UTF-8 (RFC 8259, section 8.1). Throws ClientDisconnected if the connection closes.
 */
async function readText(request: IncomingMessage, withinSeconds: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  // `for await` is not used, because leaving the loop early would destroy the request before the response is sent.
  const read = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow(withinSeconds)), withinSeconds * 1000);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DOCUMENT_MAX_BYTES) reject(tooLarge(bytes));
      else chunks.push(chunk);
    });
    request.on('end', resolve);
    onDisconnect(request, reject);
  });
  try {
    await read;
  } finally {
    clearTimeout(timer);
    request.removeAllListeners('data');
  }
  const content = Buffer.concat(chunks);
  if (!isUtf8(content)) throw badRequest('invalid_json', 'The document is not valid UTF-8.', { pointer: '' });
  return content.toString();
}

function tooSlow(seconds: number): ApiError {
  return timedOut(
    'document_too_slow',
    `The document was not received within ${seconds} seconds. Try again.`,
    {
      limit: 'document_seconds',
      max: seconds,
    },
  );
}

function tooLarge(seen: number): ApiError {
  return new ApiError({
    status: 413,
    code: 'document_too_large',
    detail: `The document is larger than ${DOCUMENT_MAX_BYTES.toLocaleString('en')} bytes.`,
    meta: { limit: 'document_max_bytes', max: DOCUMENT_MAX_BYTES, seen },
  });
}

/** JSON:API 1.1, "Updating Resources": the id in the document must match the path. Throws an ApiError (409). */
export function assertSameId(documentId: string, pathId: string): void {
  if (documentId.toLowerCase() !== pathId.toLowerCase()) throw resourceMismatch('/data/id');
}

/** Returns the 409 error for a document whose type or id does not match the path. */
function resourceMismatch(
  pointer: string,
  detail = 'The document identifies a different resource than the path. Use the same ID in both.',
): ApiError {
  return new ApiError({ status: 409, code: 'conflict', detail, source: { pointer } });
}
