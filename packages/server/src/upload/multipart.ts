import type { IncomingMessage } from 'node:http';
import type { BusboyFileStream } from '@fastify/busboy';
import { type ApiError, badRequest } from '../jsonapi/errors.ts';
import { onDisconnect } from '../request/client-disconnected.ts';
import { createMultipartParser, malformedMultipart } from './multipart-parser.ts';
import { tooLarge } from './store-file.ts';
import { type TextParts, TextPartsReader, unexpectedPart } from './text-parts.ts';
import { type PaceLimits, watchPace } from './watch-pace.ts';

/** A whole request, read. */
export interface Received<File> {
  /** What the receiver made of the part `file`. */
  readonly file: File;
  /** As the client named it, without control characters and folders. */
  readonly fileName: string | null;
  readonly texts: TextParts;
}

const FILE_NAME_MAX_LENGTH = 255;
/** Room for part headers, boundaries and text parts beyond the file itself. */
export const MULTIPART_OVERHEAD_BYTES = 2 ** 16;

/** What ends the reception of a request before its end. */
export interface ReceptionBounds {
  readonly limits: PaceLimits & { readonly uploadMaxBytes: number };
  /** Fires where the process has to stop; the reason is what the client is answered. */
  readonly shutdownDeadline: AbortSignal;
}

/**
 * Reads a multipart/form-data request (RFC 7578) with exactly one part `file`, which is handed to the receiver
 * as it comes, and the text parts `provider` and `account`, before or after it. Throws an ApiError where the
 * request is wrong, too large, too slow or cut off by the signal, and ClientDisconnected.
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

  using watches = new DisposableStack();
  const parsed = new Promise<void>((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: Error) => {
      hasFailed = true;
      request.unpipe(parser);
      part?.destroy(error);
      reject(error);
    };
    // The parser's types leave out that a part may have no name.
    parser.on('file', (name: string | undefined, stream, givenName) => {
      // The part's own error comes through the iteration; without a listener it would end the process.
      stream.on('error', () => undefined);
      // One that begins in the bytes at hand would never come to its end.
      if (hasFailed) return void stream.resume();
      if (name !== 'file' || part !== undefined) {
        stream.resume();
        fail(name === 'file' ? severalFiles() : unexpectedPart(name));
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
    parser.on('partsLimit', () => fail(badRequest('too_many_parts', 'The request has too many parts')));
    parser.on('error', (error: unknown) => fail(malformedMultipart(error)));
    parser.on('finish', () => resolve());
    const stop = () => fail(shutdownDeadline.reason);
    shutdownDeadline.addEventListener('abort', stop);
    watches.defer(() => shutdownDeadline.removeEventListener('abort', stop));
    // What stands before, between and after the parts counts as well: without a Content-Length it could go on for ever.
    const max = limits.uploadMaxBytes + MULTIPART_OVERHEAD_BYTES;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > max) fail(tooLarge('upload_max_bytes', limits.uploadMaxBytes, bytes, 'as received'));
    });
    watches.defer(watchPace(request, limits, { isHeldByUs: () => parser.writableNeedDrain, fail }));
    request.pipe(parser);
    onDisconnect(request, fail);
    if (shutdownDeadline.aborted) stop();
  });
  try {
    await parsed;
  } catch (error) {
    request.removeAllListeners('data');
    // What the receiver began it has undone before anybody hears of the error.
    await Promise.allSettled([received]);
    throw error;
  }
  if (received === undefined) {
    throw badRequest(
      'file_required',
      "The request has no part 'file'; send the .ocsf.json file as a multipart part of that name with a file name",
      { pointer: '/file' },
    );
  }
  return {
    file: await received,
    fileName,
    texts: textParts.texts,
  };
}

async function* chunks(stream: BusboyFileStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield chunk;
}

function cleanFileName(name: string | undefined): string | null {
  const clean = (name ?? '')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim();
  // Not between the two halves of a character.
  const short = clean.slice(0, FILE_NAME_MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return short === '' ? null : short;
}

function severalFiles(): ApiError {
  return badRequest('several_files', "The request has several parts 'file'; send one file per request", {
    pointer: '/file',
  });
}
