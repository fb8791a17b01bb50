import { constants, createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import { codeOf } from '../error-code.ts';
import { badRequest } from '../jsonapi/errors.ts';
import { TooManyFramesError, ZstdFormatError, ZstdFrameWalker } from './zstd-frames.ts';

const MAGIC_BYTES = 4;
/** 32 MiB: what `zstd --ultra -20` needs at most; the memory one upload can make the decoder take. */
const MAX_WINDOW_LOG = 25;
const OUTPUT_BYTES = 2 ** 18;

type Decoder = Gunzip | ZstdDecompress;

class TrailingDataError extends Error {}

/**
 * The content of an uploaded file: gzip (RFC 1952) and zstd (RFC 8878) are told by their first bytes and
 * inflated as they come, anything else is passed on. Throws an ApiError (400) where compressed data is
 * damaged: its checksum covers the whole, so no record of such a file could be trusted.
 */
export async function* inflate(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { magic, bytes } = await peek(source);
  try {
    if (magic.length >= 2 && magic.readUInt16BE(0) === 0x1f8b) {
      yield* through(bytes, createGunzip({ chunkSize: OUTPUT_BYTES }));
    } else if (magic.length >= 4 && isZstd(magic.readUInt32LE(0))) {
      yield* inflateZstd(bytes);
    } else {
      yield* bytes;
    }
  } catch (error) {
    const what = compressionFault(error);
    if (what === undefined) throw error;
    throw badRequest('invalid_compression', what, { pointer: '/file' });
  }
}

function isZstd(magic: number): boolean {
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50;
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
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return { magic: head, bytes: continued(head, rest) };
}

/** One decoder for all frames: making one costs more than decoding a small frame. */
async function* inflateZstd(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const walker = new ZstdFrameWalker();
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG };
  const pieces = walk(source, walker);
  const first = await pieces.next();
  // Without any input the decoder reports that its input was cut off.
  if (first.done !== true) {
    const all = continued(first.value, pieces);
    yield* through(all, createZstdDecompress({ chunkSize: OUTPUT_BYTES, params }));
  }
  if (!walker.complete) throw new ZstdFormatError('unexpected end of file');
}

async function* continued(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* walk(source: AsyncIterable<Buffer>, walker: ZstdFrameWalker): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield* walker.push(chunk);
}

async function* through(source: AsyncIterable<Buffer>, decoder: Decoder): AsyncGenerator<Buffer> {
  // Its errors come through the iteration or the feeding; one that comes after both must not end the process.
  decoder.on('error', () => undefined);
  const feeding = feed(source, decoder);
  feeding.catch((error: Error) => decoder.destroy(error));
  for await (const chunk of decoder) yield chunk;
  await feeding;
}

/**
 * Hands the source to the decoder. After the last member of a gzip file there may be zeros (padding of tapes and
 * blocks): Node's decoder ends there and leaves out, without an error, whatever comes behind them.
 */
async function feed(source: AsyncIterable<Buffer>, decoder: Decoder): Promise<void> {
  let over = false;
  for await (const bytes of source) {
    const taken = decoder.bytesWritten;
    if (!over) await write(decoder, bytes);
    if (decoder.destroyed && !decoder.readableEnded) return;
    const rest = bytes.subarray(decoder.bytesWritten - taken);
    over ||= rest.length > 0;
    assertPadding(rest);
  }
  if (!over) decoder.end();
}

/** Resolves when the decoder wants more, and when it is at its end. */
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
  if (bytes.some((byte) => byte !== 0)) throw new TrailingDataError('there is something behind its end');
}

/** What is wrong with the compressed file; `undefined` for errors of anything else. */
function compressionFault(error: unknown): string | undefined {
  if (error instanceof TooManyFramesError)
    return `The file has ${error.message}; compress the whole file in one run`;
  if (codeOf(error) === 'ZSTD_error_frameParameter_windowTooLarge')
    return `The file was compressed with a window of more than ${2 ** (MAX_WINDOW_LOG - 20)} MiB; use zstd without --long`;
  const isDamage =
    error instanceof ZstdFormatError ||
    error instanceof TrailingDataError ||
    (error instanceof Error && /^(Z_|ZSTD_)/.test(codeOf(error) ?? ''));
  return isDamage ? `The file's compressed data is damaged or cut off: ${error.message}` : undefined;
}
