import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hashContent } from './content-hash.ts';
import { type Compressor, createCompressor, type Encoding } from './encoding.ts';
import { PushError } from './push-error.ts';

const CHUNK_BYTES = 2 ** 19;

/** A text field of an upload. */
export type TextPart = readonly [name: string, text: string];

/** The state of a file when it was first read. */
export interface UploadFile {
  readonly path: string;
  /** The file name to send to the service. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly compressed: boolean;
  /** SHA-256, in hexadecimal, of the decompressed content. */
  readonly sha256: string;
}

export interface UploadBody {
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each attempt. */
  readonly stream: () => AsyncIterable<Buffer>;
}

/** The bytes of a form (RFC 7578) around the content of its file. */
interface FramedForm {
  /** The content type of the request. */
  readonly contentType: string;
  /** The bytes before and after the file content. */
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Reads a file once, in constant memory. Throws a PushError with the code `file_unreadable` or `file_empty`. */
export async function readUploadFile(path: string, name = basename(path)): Promise<UploadFile> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new PushError('file_unreadable', `${path} is a folder; specify its files`);
    const content = await hashContent(readBytes(path));
    if (content.bytes === 0) throw new PushError('file_empty', `${path} is empty`);
    return { path, name, modifiedMs: stats.mtimeMs, ...content };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Creates the multipart request for a file. The body is streamed and compressed with the given encoding. The content
 * length is included if it is known. The stream throws a PushError with the code `file_changed` if the file has
 * changed.
 */
export function uploadBody(
  file: UploadFile,
  encoding: Encoding,
  texts: readonly TextPart[],
  onRead: (bytes: number) => void,
): UploadBody {
  const form = frameForm(file.name, texts);
  const length = form.head.length + file.bytes + form.tail.length;
  return {
    headers: {
      'content-type': form.contentType,
      ...(encoding === 'identity' && { 'content-length': String(length) }),
    },
    stream: () => formBytes(file, encoding, form, onRead),
  };
}

/** The file is sent as the part `file`, after the text fields. */
function frameForm(fileName: string, texts: readonly TextPart[]): FramedForm {
  const boundary = `sluice-${randomUUID()}`;
  const parts = texts.map(
    ([name, text]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${text}\r\n`,
  );
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\n` +
    'Content-Type: application/json\r\n\r\n';
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(`${parts.join('')}${file}`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** Escapes the three characters that the HTML standard requires to be escaped (section "Multipart form data"). */
function quoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

async function* formBytes(
  file: UploadFile,
  encoding: Encoding,
  form: FramedForm,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  await assertUnchanged(file);
  yield form.head;
  const bytes = fileBytes(file, onRead);
  yield* encoding === 'identity' ? copies(bytes) : compressed(bytes, encoding);
  await assertUnchanged(file);
  yield form.tail;
}

/**
 * Throws a PushError with the code `file_changed` if the file has changed, or `file_unreadable` if it can no longer be
 * read.
 */
async function assertUnchanged({ path, bytes, modifiedMs }: UploadFile): Promise<void> {
  const now = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (now.size !== bytes || now.mtimeMs !== modifiedMs)
    throw new PushError('file_changed', `${path} changed during the push; push it again when it is complete`);
}

async function* fileBytes({ path }: UploadFile, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  let read = 0;
  try {
    for await (const chunk of readBytes(path)) {
      read += chunk.length;
      onRead(read);
      yield chunk;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Copies the chunks, because the socket does not report when it no longer needs a buffer. */
async function* copies(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) yield Buffer.from(chunk);
}

async function* compressed(bytes: AsyncIterable<Buffer>, encoding: 'gzip' | 'zstd'): AsyncGenerator<Buffer> {
  const compressor = createCompressor(encoding);
  const fed = feed(bytes, compressor);
  // On a file error, destroy the compressor, so that the loop over its output ends with the error.
  fed.catch((error: Error) => compressor.destroy(error));
  yield* compressor;
  await fed;
}

/**
 * Writes one chunk at a time: the chunks share a buffer, so each chunk must be consumed before the next one is read.
 * Stops when the compressor is destroyed at the end of the upload.
 */
async function feed(bytes: AsyncIterable<Buffer>, compressor: Compressor): Promise<void> {
  const closed = once(compressor, 'close');
  for await (const chunk of bytes) {
    const taken = new Promise<void>((resolve) => compressor.write(chunk, () => resolve()));
    await Promise.race([taken, closed]);
    if (compressor.destroyed) return;
  }
  compressor.end();
}

/**
 * Yields the bytes of a file in chunks. All chunks share one buffer, so that reading a large file creates no garbage.
 * To keep a chunk after the next one is read, copy it.
 */
async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Converts a file-system error to a PushError; returns any other error unchanged. */
function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new PushError('file_unreadable', `${path} cannot be read: ${error.message}`, { cause: error });
}
