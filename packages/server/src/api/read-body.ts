import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { MEDIA_TYPE } from '../jsonapi/document.ts';
import { ApiError, badRequest } from '../jsonapi/errors.ts';
import { askForBody } from '../request/ask-for-body.ts';
import { readText } from './read-text.ts';

/** A request that may bring a document. */
export interface DocumentRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** How long the document may take to come. */
  readonly documentSeconds: number;
}

/**
 * Reads a JSON:API document by its schema. Throws an ApiError: 415 for another media type (JSON:API 1.1, "Content
 * Negotiation"), 413, 408, 409 for a resource of another type or id, 400 with a pointer to what is wrong.
 */
export async function readBody<Body>(
  { request, reply, documentSeconds }: DocumentRequest,
  schema: z.ZodType<Body>,
): Promise<Body> {
  assertMediaType(request.headers['content-type']);
  askForBody(request.raw, reply.raw);
  const read = schema.safeParse(parseJson(await readText(request.raw, documentSeconds)));
  if (read.success) return read.data;
  throw wrongDocument(read.error);
}

function assertMediaType(contentType: string | undefined): void {
  if (contentType?.trim().toLowerCase() === MEDIA_TYPE) return;
  throw new ApiError({
    status: 415,
    code: 'unsupported_media_type',
    detail: `Send the document as ${MEDIA_TYPE}, without parameters`,
    source: { header: 'Content-Type' },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw badRequest('invalid_json', `The document is no JSON: ${reason}`, { pointer: '' });
  }
}

/** The first thing that is wrong, and where. */
function wrongDocument(error: z.ZodError): ApiError {
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const pointer = [...(issue?.path ?? []), ...unknown].map((key) => `/${escaped(String(key))}`).join('');
  if (pointer === '/data/type' || pointer === '/data/id') {
    return new ApiError({
      status: 409,
      code: 'conflict',
      detail: `${pointer} names another resource than the address does`,
      source: { pointer },
    });
  }
  const what = unknown.length > 0 ? `'${unknown[0]}' is not known there` : (issue?.message ?? 'It is wrong');
  return badRequest('invalid_document', `${pointer || 'The document'}: ${what}`, { pointer });
}

/** RFC 6901, section 3. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
