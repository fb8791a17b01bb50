import { once } from 'node:events';
import { type Compressor, createCompressor, type Encoding } from './encoding.ts';
import { type FramedForm, frameForm } from './multipart.ts';
import { readBytes } from './read-bytes.ts';
import { assertUnchanged, type UploadFile, unreadable } from './upload-file.ts';

export interface UploadBody {
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each attempt. */
  readonly stream: () => AsyncIterable<Buffer>;
}

/**
 * Creates the multipart request for a file. The body is streamed and compressed with the given encoding. The content
 * length is included if it is known. The stream throws a PushError with the code `file_changed` if the file has
 * changed.
 */
export function uploadBody(
  file: UploadFile,
  encoding: Encoding,
  texts: Readonly<Record<string, string>>,
  onRead: (bytes: number) => void,
): UploadBody {
  const form = frameForm({ fileName: file.name, texts });
  const length = form.head.length + file.bytes + form.tail.length;
  return {
    headers: {
      'content-type': form.contentType,
      ...(encoding === 'identity' && { 'content-length': String(length) }),
    },
    stream: () => formBytes(file, encoding, form, onRead),
  };
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
