import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { MEDIA_TYPE } from '../../jsonapi/document.ts';
import { ApiError, badRequest } from '../../jsonapi/errors.ts';
import { sendContinue } from '../request/expect-continue.ts';
import { resourceMismatch } from './assert-same-id.ts';
import { readText } from './read-text.ts';

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
  const parsed = schema.safeParse(parseJson(await readText(request.raw, documentSeconds)));
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
    const reason = error instanceof Error ? error.message : String(error);
    throw badRequest('invalid_json', `The document is not valid JSON: ${reason}.`, { pointer: '' });
  }
}

/** Returns the error for the first invalid member. */
function invalidDocument(error: z.ZodError): ApiError {
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const pointer = [...(issue?.path ?? []), ...unknown].map((key) => `/${escapeKey(String(key))}`).join('');
  if (pointer === '/data/type' || pointer === '/data/id') return resourceMismatch(pointer);
  const detail = unknown.length > 0 ? `Unknown member '${unknown[0]}'` : (issue?.message ?? 'Invalid value');
  return badRequest('invalid_document', detail.endsWith('.') ? detail : `${detail}.`, { pointer });
}

/** RFC 6901, section 3. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
