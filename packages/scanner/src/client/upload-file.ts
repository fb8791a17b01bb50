import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createCompressor, type Encoding, isCompressed } from './encoding.ts';
import { type FramedForm, frameForm } from './multipart.ts';
import { PushError } from './push-error.ts';

const CHUNK_BYTES = 2 ** 18;
const MAGIC_BYTES = 4;

/** A file as it was when it was looked at first. */
export interface UploadFile {
  readonly path: string;
  /** What the service is told that it is called. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly compressed: boolean;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Reads a file once, in constant memory. Throws a PushError: `file_unreadable`, `file_empty`. */
export async function readUploadFile(path: string, name = basename(path)): Promise<UploadFile> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new PushError('file_unreadable', `${path} is a folder; name its files`);
    if (stats.size === 0) throw new PushError('file_empty', `${path} is empty`);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk);
    const compressed = isCompressed(await firstBytes(path));
    return {
      path,
      name,
      bytes: stats.size,
      modifiedMs: stats.mtimeMs,
      compressed,
      sha256: hash.digest('hex'),
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

export interface UploadBody {
  readonly headers: Readonly<Record<string, string>>;
  /** Made anew for each attempt. */
  readonly stream: () => AsyncIterable<Buffer>;
}

/**
 * The multipart request that sends a file, as it is read: compressed on the way where the encoding says so, with its
 * length where that is known. The stream throws a PushError `file_changed` where the file is not the same any more.
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
  await assertSame(file);
  yield form.head;
  const bytes = fileBytes(file, onRead);
  yield* encoding === 'identity' ? bytes : compressed(bytes, encoding);
  await assertSame(file);
  yield form.tail;
}

async function* fileBytes(
  { path, bytes }: UploadFile,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let read = 0;
  try {
    for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: CHUNK_BYTES })) {
      read += chunk.length;
      onRead(read);
      yield chunk;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* compressed(bytes: AsyncIterable<Buffer>, encoding: 'gzip' | 'zstd'): AsyncGenerator<Buffer> {
  const compressor = createCompressor(encoding);
  // A fault of the file comes out of the compressor, whose bytes are read here.
  pipeline(bytes, compressor, () => undefined);
  yield* compressor;
}

async function assertSame({ path, bytes, modifiedMs }: UploadFile): Promise<void> {
  const now = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (now.size !== bytes || now.mtimeMs !== modifiedMs)
    throw new PushError('file_changed', `${path} was changed while it was pushed; push it when it is whole`);
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What the file system says, as a PushError; any other error as it is. */
function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new PushError('file_unreadable', `${path} cannot be read: ${error.message}`, { cause: error });
}
