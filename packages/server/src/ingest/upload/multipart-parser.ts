import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, badRequest, unsupportedMediaType } from '../../jsonapi/errors.ts';

/** In bytes; larger than any valid value in UTF-8. Longer values are truncated while they are received. */
const TEXT_MAX_BYTES = 4096;
/** Maximum total size of a part's headers. Equal to Node.js's limit for request headers. */
const PART_HEADERS_MAX_BYTES = 2 ** 14;
/** More parts than a valid upload has, so that the error can name the invalid part. */
export const MAX_PARTS = 10;
const BUFFER_BYTES = 2 ** 18;
/** The size of a socket read. With a larger buffer, the parser would concatenate the buffered data on every read. */
const FILE_BUFFER_BYTES = 2 ** 16;

/**
 * Creates a parser for the request body that limits the size of all buffered data. Throws an ApiError if the body is
 * not a form.
 */
export function createMultipartParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw unsupportedMediaType(
      contentType === ''
        ? 'The request has no Content-Type'
        : `The Content-Type '${contentType.slice(0, 100)}' is not supported`,
    );
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      highWaterMark: BUFFER_BYTES,
      fileHwm: FILE_BUFFER_BYTES,
      isPartAFile: (name, _type, fileName) => name === 'file' || fileName !== undefined,
      limits: {
        parts: MAX_PARTS,
        fieldSize: TEXT_MAX_BYTES,
        fieldNameSize: 100,
        headerPairs: 50,
        headerSize: PART_HEADERS_MAX_BYTES,
      },
    });
  } catch (error) {
    throw malformedMultipart(error);
  }
}

/** Returns the error response for a parser error. */
export function malformedMultipart(error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return badRequest('malformed_multipart', `The multipart body cannot be parsed: ${reason}.`, {
    header: 'Content-Type',
  });
}
