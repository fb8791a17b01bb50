import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { MAX_LENGTHS } from '@sluice/ocsf';
import { type ApiError, badRequest, unsupportedMediaType } from '../jsonapi/errors.ts';
import { tooLarge } from './store-file.ts';
import { type PaceLimits, watchPace } from './watch-pace.ts';

/** The client went away before the request was whole; there is nobody to answer. */
export class ClientDisconnected extends Error {
  constructor() {
    super('the client closed the connection before the upload was complete');
    this.name = 'ClientDisconnected';
  }
}

/** The text parts of an upload, where they were sent. */
export interface TextParts {
  readonly provider: string | null;
  readonly account: string | null;
}

/** A whole request, read. */
export interface Received<File> {
  /** What the receiver made of the part `file`. */
  readonly file: File;
  /** As the client named it, without control characters and folders. */
  readonly fileName: string | null;
  readonly texts: TextParts;
}

const TEXT_PARTS = ['provider', 'account'] as const;
type TextPart = (typeof TEXT_PARTS)[number];
/** More than the longest text takes in UTF-8; what is longer is not kept while it comes in. */
const TEXT_MAX_BYTES = 4096;
const FILE_NAME_MAX_LENGTH = 255;
/** Of all headers of a part; Node has the same for those of a request. */
const PART_HEADERS_MAX_BYTES = 2 ** 14;
/** More than an upload has, so that what is wrong with one can be said of the part. */
export const MAX_PARTS = 10;
/** Room for part headers, boundaries and text parts beyond the file itself. */
export const MULTIPART_OVERHEAD_BYTES = 2 ** 16;
const BUFFER_BYTES = 2 ** 18;
/** What a socket gives at once; with more than that waiting the parser copies it together for every read. */
const FILE_BUFFER_BYTES = 2 ** 16;

/** What ends the reception of a request before its end. */
export interface ReceptionBounds {
  readonly limits: PaceLimits & { readonly uploadMaxBytes: number };
  /** Fires where the process has to stop; the reason is what the client is answered. */
  readonly cutOff: AbortSignal;
}

/**
 * Reads a multipart/form-data request (RFC 7578) with exactly one part `file`, which is handed to the receiver
 * as it comes, and the text parts `provider` and `account`, before or after it. Throws an ApiError where the
 * request is wrong, too large, too slow or cut off by the signal, and ClientDisconnected.
 */
export async function receiveMultipart<File>(
  request: IncomingMessage,
  { limits, cutOff }: ReceptionBounds,
  receive: (file: AsyncIterable<Buffer>) => Promise<File>,
): Promise<Received<File>> {
  const parser = createParser(request);
  const texts = new Map<TextPart, string>();
  let part: BusboyFileStream | undefined;
  let fileName: string | null = null;
  let received: Promise<File> | undefined;

  using watches = new DisposableStack();
  const parsed = new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      request.unpipe(parser);
      part?.destroy(error);
      reject(error);
    };
    // The parser's types leave out that a part may have no name.
    parser.on('file', (name: string | undefined, stream, givenName) => {
      // The part's own error comes through the iteration; without a listener it would end the process.
      stream.on('error', () => undefined);
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
    parser.on('field', (name: string | undefined, value, _nameTruncated, valueTruncated) => {
      const text = TEXT_PARTS.find((known) => known === name);
      if (text === undefined) fail(unexpectedPart(name));
      else if (texts.has(text)) fail(badPart(text, `The part '${text}' is there twice; send it once`));
      else if (valueTruncated || value.length > MAX_LENGTHS[text])
        fail(badPart(text, `The part '${text}' is longer than ${MAX_LENGTHS[text]} characters`));
      else if (value.trim() === '')
        fail(badPart(text, `The part '${text}' is blank; leave it out or give it a value`));
      else if (/\p{Cc}/u.test(value.trim()))
        fail(badPart(text, `The part '${text}' holds control characters; send plain text`));
      else texts.set(text, value.trim());
    });
    parser.on('partsLimit', () => fail(badRequest('too_many_parts', 'The request has too many parts')));
    parser.on('error', (error: unknown) => fail(malformed(error)));
    parser.on('finish', () => resolve());
    request.on('error', () => fail(new ClientDisconnected()));
    request.on('close', () => {
      if (!request.complete) fail(new ClientDisconnected());
    });
    const stop = () => fail(cutOff.reason);
    cutOff.addEventListener('abort', stop);
    watches.defer(() => cutOff.removeEventListener('abort', stop));
    // What stands before, between and after the parts counts as well: without a Content-Length it could go on for ever.
    const max = limits.uploadMaxBytes + MULTIPART_OVERHEAD_BYTES;
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > max) fail(tooLarge('upload_max_bytes', limits.uploadMaxBytes, bytes, 'as received'));
    });
    watches.defer(watchPace(request, limits, { isHeldByUs: () => parser.writableNeedDrain, fail }));
    request.pipe(parser);
    if (cutOff.aborted) stop();
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
    texts: { provider: texts.get('provider') ?? null, account: texts.get('account') ?? null },
  };
}

function createParser(request: IncomingMessage): BusboyInstance {
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
    throw malformed(error);
  }
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

function malformed(error: unknown): ApiError {
  const reason = error instanceof Error ? error.message : String(error);
  return badRequest('malformed_multipart', `The multipart body cannot be read: ${reason}`, {
    header: 'Content-Type',
  });
}

function severalFiles(): ApiError {
  return badRequest('several_files', "The request has several parts 'file'; send one file per request", {
    pointer: '/file',
  });
}

function badPart(name: string, detail: string): ApiError {
  return badRequest('invalid_part', detail, { pointer: `/${name}` });
}

function unexpectedPart(name: string | undefined): ApiError {
  const which = name === undefined ? 'A part without a name' : `The part '${name.slice(0, 100)}'`;
  return badRequest(
    'unexpected_part',
    `${which} is not known; an upload has the file as 'file', and may have the texts ${TEXT_PARTS.map((part) => `'${part}'`).join(' and ')}`,
  );
}
