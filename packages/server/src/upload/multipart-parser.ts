import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, badRequest, unsupportedMediaType } from '../jsonapi/errors.ts';

/** More than the longest text takes in UTF-8; what is longer is not kept while it comes in. */
const TEXT_MAX_BYTES = 4096;
/** Of all headers of a part; Node has the same for those of a request. */
const PART_HEADERS_MAX_BYTES = 2 ** 14;
/** More than an upload has, so that what is wrong with one can be said of the part. */
export const MAX_PARTS = 10;
const BUFFER_BYTES = 2 ** 18;
/** What a socket gives at once; with more than that waiting the parser copies it together for every read. */
const FILE_BUFFER_BYTES = 2 ** 16;

/** A parser for the body of this request, with limits on all that it keeps. Throws an ApiError where it is no form. */
export function createMultipartParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw unsupportedMediaType(
      contentType === ''
        ? 'The request has no Content-Type'
        : `The Content-Type is '${contentType.slice(0, 100)}'`,
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

/** The answer to what the parser fails with. */
export function malformedMultipart(error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return badRequest('malformed_multipart', `The multipart body cannot be read: ${reason}`, {
    header: 'Content-Type',
  });
}
