import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { type ApiError, badRequest, unsupportedMediaType } from '../../jsonapi/errors.ts';
import { onDisconnect } from '../../lib/client-disconnected.ts';
import { messageOf } from '../../lib/errors.ts';
import { tooLarge } from './store-file.ts';
import { TEXT_PARTS, type TextParts, TextPartsReader, unexpectedPart } from './text-parts.ts';
import { type PaceLimits, watchPace } from './watch-pace.ts';

/** A completely received request. */
export interface Received<File> {
  /** The result of `receive` for the part `file`. */
  readonly file: File;
  /** The file name sent by the client, without control characters and directories. */
  readonly fileName: string | null;
  readonly texts: TextParts;
}

export interface ReceptionBounds {
  readonly limits: PaceLimits & { readonly uploadMaxBytes: number };
  /** Aborted when the process must exit. The abort reason is the error response. */
  readonly shutdownDeadline: AbortSignal;
}

/** Allowance for part headers, boundaries and text fields, in addition to the file. */
export const MULTIPART_OVERHEAD_BYTES = 2 ** 16;
/** More parts than a valid upload has, so that the error can name the invalid part. */
export const MAX_PARTS = 20;
const FILE_NAME_MAX_LENGTH = 255;
/** In bytes; larger than any valid value in UTF-8. Longer values are truncated while they are received. */
const TEXT_MAX_BYTES = 4096;
/** Maximum total size of a part's headers. Equal to Node.js's limit for request headers. */
const PART_HEADERS_MAX_BYTES = 2 ** 14;
const BUFFER_BYTES = 2 ** 18;
/** The size of a socket read. With a larger buffer, the parser would concatenate the buffered data on every read. */
const FILE_BUFFER_BYTES = 2 ** 16;

/**
 * Reads a multipart/form-data request (RFC 7578) with exactly one part `file`, which is streamed to `receive`, and the
 * text fields of `TextParts` before or after it. Throws an ApiError if the request is invalid, too large, too
 * slow or interrupted by a shutdown, and ClientDisconnected if the client disconnects.
 */
export async function receiveMultipart<File>(
  request: IncomingMessage,
  { limits, shutdownDeadline }: ReceptionBounds,
  receive: (file: AsyncIterable<Buffer>) => Promise<File>,
): Promise<Received<File>> {
  const parser = createMultipartParser(request);
  const textParts = new TextPartsReader();
  let part: BusboyFileStream | undefined;
  let fileName: string | null = null;
  let received: Promise<File> | undefined;

  using cleanup = new DisposableStack();
  const parsed = new Promise<void>((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: Error) => {
      hasFailed = true;
      request.unpipe(parser);
      part?.destroy(error);
      reject(error);
    };
    // The parser's types do not account for parts without a name.
    parser.on('file', (name: string | undefined, stream, givenName) => {
      // The iteration throws the part's error. Without a listener, the error would also end the process.
      stream.on('error', () => undefined);
      // Discard parts that start in already buffered data. Otherwise, these parts would never end.
      if (hasFailed) return void stream.resume();
      if (name !== 'file' || part !== undefined) {
        stream.resume();
        fail(name === 'file' ? moreThanOneFile() : unexpectedPart(name));
        return;
      }
      part = stream;
      fileName = cleanFileName(givenName);
      received = receive(chunks(stream));
      received.catch(fail);
    });
    parser.on('field', (name: string | undefined, value, _nameTruncated, truncated) => {
      const fault = textParts.read({ name, value, truncated });
      if (fault !== undefined) fail(fault);
    });
    parser.on('partsLimit', () =>
      fail(
        badRequest(
          'too_many_parts',
          `The request has more than ${MAX_PARTS} form fields. Send one file and, optionally, the fields ${TEXT_PARTS}.`,
        ),
      ),
    );
    parser.on('error', (error: unknown) => fail(malformedMultipart(error)));
    parser.on('finish', () => resolve());
    const stop = () => fail(shutdownDeadline.reason);
    shutdownDeadline.addEventListener('abort', stop);
    cleanup.defer(() => shutdownDeadline.removeEventListener('abort', stop));
    // Also count the bytes before, between and after the parts. Without a Content-Length, their number would be
    // unlimited.
    const max = limits.uploadMaxBytes + MULTIPART_OVERHEAD_BYTES;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > max) fail(tooLarge('upload_max_bytes', limits.uploadMaxBytes, bytes, 'as received'));
    });
    cleanup.defer(watchPace(request, limits, { isWaitingForServer: () => parser.writableNeedDrain, fail }));
    request.pipe(parser);
    onDisconnect(request, fail);
    if (shutdownDeadline.aborted) stop();
  });
  try {
    await parsed;
  } catch (error) {
    request.removeAllListeners('data');
    // Let `receive` clean up before the error is reported.
    await Promise.allSettled([received]);
    throw error;
  }
  if (received === undefined) {
    throw badRequest(
      'file_required',
      "The request has no file. Send the .ocsf.json file in the form field 'file', with a file name.",
      { pointer: '/file' },
    );
  }
  return {
    file: await received,
    fileName,
    texts: textParts.texts,
  };
}

/**
 * Creates a parser for the request body that limits the size of all buffered data. Throws an ApiError if the body is
 * not a form.
 */
function createMultipartParser(request: IncomingMessage): BusboyInstance {
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
function malformedMultipart(error: unknown): ApiError {
  return badRequest('malformed_multipart', `The multipart body cannot be parsed: ${messageOf(error)}.`, {
    header: 'Content-Type',
  });
}

function moreThanOneFile(): ApiError {
  return badRequest('several_files', 'The request has more than one file. Send one file per request.', {
    pointer: '/file',
  });
}

function cleanFileName(name: string | undefined): string | null {
  const clean = (name ?? '')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim();
  // Do not split a surrogate pair.
  const short = clean.slice(0, FILE_NAME_MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return short === '' ? null : short;
}

async function* chunks(stream: BusboyFileStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield chunk;
}
