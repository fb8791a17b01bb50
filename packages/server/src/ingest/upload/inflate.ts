import { constants, createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import { badRequest } from '../../jsonapi/errors.ts';
import { codeOf } from '../../lib/errors.ts';
import { isZstdMagic, TooManyFramesError, ZstdFormatError, ZstdFrameWalker } from './zstd-frames.ts';

const MAGIC_BYTES = 4;
/** 32 MiB, the maximum window of `zstd --ultra -20`. Limits the memory usage of the decoder for each upload. */
const MAX_WINDOW_LOG = 25;
const OUTPUT_BYTES = 2 ** 18;

type Decoder = Gunzip | ZstdDecompress;

class TrailingDataError extends Error {}

/**
 * Decompresses an uploaded file while it is received. gzip (RFC 1952) and zstd (RFC 8878) are detected by their magic
 * bytes; anything else is passed through. Throws an ApiError (400) if the compressed data is damaged. The checksum
 * covers the whole file, so no record in a damaged file can be trusted.
 */
export async function* inflate(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { magic, bytes } = await peek(source);
  try {
    if (magic.length >= 2 && magic.readUInt16BE(0) === 0x1f8b) {
      yield* through(bytes, createGunzip({ chunkSize: OUTPUT_BYTES }));
    } else if (magic.length >= 4 && isZstdMagic(magic.readUInt32LE(0))) {
      yield* inflateZstd(bytes);
    } else {
      yield* bytes;
    }
  } catch (error) {
    const fault = compressionFault(error);
    if (fault === undefined) throw error;
    throw badRequest('invalid_compression', fault, { pointer: '/file' });
  }
}

async function peek(
  source: AsyncIterable<Buffer>,
): Promise<{ magic: Buffer; bytes: AsyncGenerator<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < MAGIC_BYTES) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  const remaining = { [Symbol.asyncIterator]: () => iterator };
  return { magic: head, bytes: continued(head, remaining) };
}

/** Uses one decoder for all frames, because creating a decoder costs more than decoding a small frame. */
async function* inflateZstd(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const walker = new ZstdFrameWalker();
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG };
  const pieces = walk(source, walker);
  const first = await pieces.next();
  // Do not start the decoder without input, because it would report truncated input.
  if (first.done !== true) {
    const all = continued(first.value, pieces);
    yield* through(all, createZstdDecompress({ chunkSize: OUTPUT_BYTES, params }));
  }
  if (!walker.complete) throw new ZstdFormatError('unexpected end of file');
}

async function* continued(first: Buffer, remaining: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* remaining;
}

async function* walk(source: AsyncIterable<Buffer>, walker: ZstdFrameWalker): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield* walker.push(chunk);
}

async function* through(source: AsyncIterable<Buffer>, decoder: Decoder): AsyncGenerator<Buffer> {
  // The iteration or `feeding` throws the first error. The listener prevents later errors from ending the process.
  decoder.on('error', () => undefined);
  const feeding = feed(source, decoder);
  feeding.catch((error: Error) => decoder.destroy(error));
  for await (const chunk of decoder) yield chunk;
  await feeding;
}

/**
 * Writes the source to the decoder. A gzip file may be padded with zeros at its end. Node.js's decoder stops at the
 * padding and silently ignores any data after it.
 */
async function feed(source: AsyncIterable<Buffer>, decoder: Decoder): Promise<void> {
  let hasEnded = false;
  for await (const bytes of source) {
    const taken = decoder.bytesWritten;
    if (!hasEnded) await write(decoder, bytes);
    if (decoder.destroyed && !decoder.readableEnded) return;
    const remaining = bytes.subarray(decoder.bytesWritten - taken);
    hasEnded ||= remaining.length > 0;
    assertPadding(remaining);
  }
  if (!hasEnded) decoder.end();
}

/** Resolves when the decoder accepts more input or has ended. */
function write(decoder: Decoder, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    decoder.once('close', resolve);
    decoder.write(bytes, (error) => {
      decoder.off('close', resolve);
      if (error) reject(error);
      else resolve();
    });
  });
}

function assertPadding(bytes: Buffer): void {
  if (bytes.some((byte) => byte !== 0))
    throw new TrailingDataError('unexpected data after the end of the compressed file');
}

/** Returns the error detail for damaged compressed data; `undefined` for other errors. */
function compressionFault(error: unknown): string | undefined {
  if (error instanceof TooManyFramesError)
    return `The file has ${error.message}. Compress the whole file in one pass.`;
  if (codeOf(error) === 'ZSTD_error_frameParameter_windowTooLarge')
    return `The file was compressed with a window of more than ${2 ** (MAX_WINDOW_LOG - 20)} MiB. Compress it without --long.`;
  const isDamage =
    error instanceof ZstdFormatError ||
    error instanceof TrailingDataError ||
    (error instanceof Error && /^(Z_|ZSTD_)/.test(codeOf(error) ?? ''));
  return isDamage ? `The compressed data is damaged or truncated: ${error.message}.` : undefined;
}
