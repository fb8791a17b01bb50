import { constants, crc32, createZstdCompress } from 'node:zlib';
import {
  type ExtractBuilder,
  type FieldScanner,
  type FileFault,
  type RecordLimits,
  type RecordSpan,
  RecordSplitter,
} from '@sluice/ocsf';
import type { BlobWriter } from '../../blobs/blob-store.ts';
import { RecordExtractor } from './record-extractor.ts';
import { RecordIndexBuilder } from './record-index.ts';
import { encodeSkippable } from './skippable-frame.ts';
import type { Frame } from './stored-frame.ts';

export interface WrittenFrames {
  readonly frames: readonly Frame[];
  readonly bytes: number;
  /** Complete elements of the top-level array. */
  readonly records: number;
  readonly fault: FileFault | undefined;
}

const MIB = 2 ** 20;
/** A frame ends with the record that brings it to this size, so that it stays below 16 MiB. */
const FRAME_BYTES = 12 * MIB;
/** Measured: with 1,250 records per transaction, ingestion is half as fast; with 20,000, it is no faster. */
const FRAME_RECORDS = 5000;
/** Compressed bytes are collected up to about this size before they are appended. */
const APPEND_BYTES = MIB / 4;

/** A frame that is being written. */
interface OpenFrame {
  readonly firstRecord: number;
  readonly byteOffset: number;
  readonly index: RecordIndexBuilder;
  readonly extract: ExtractBuilder;
}

/** Part of a chunk that belongs to one frame, and the end of the frame if the frame ends in this part. */
interface Piece {
  readonly frame: OpenFrame;
  readonly bytes: Buffer;
  readonly frameEnd: number | undefined;
}

/**
 * Writes an upload to a blob as frames that end between records. Splits, compresses and appends the bytes as they are
 * received, in constant memory.
 */
export class FrameWriter {
  readonly #blob: BlobWriter;
  readonly #splitter: RecordSplitter;
  readonly #extractor: RecordExtractor;
  readonly #recordMaxBytes: number;
  readonly #frames: Frame[] = [];
  readonly #compressor = new FrameCompressor();
  #frame: OpenFrame;
  /** Frames that end in the current chunk, and where they end. */
  #ended: { frame: OpenFrame; end: number }[] = [];
  #blobBytes = 0;
  #frameBlobOffset = 0;
  #frameCrc32 = 0;
  /** The compression of the previous chunk, which runs while the next one is split. */
  #storing: Promise<void> = Promise.resolve();

  constructor(blob: BlobWriter, limits: RecordLimits, scanner: FieldScanner) {
    this.#blob = blob;
    this.#extractor = new RecordExtractor(scanner);
    this.#frame = this.#openFrame(0, 0);
    this.#recordMaxBytes = limits.maxRecordBytes;
    this.#splitter = new RecordSplitter(limits, (span) => this.#onRecord(span));
  }

  /**
   * Writes the next bytes of the file. The buffer must not change until the next call to `write` or `end` has resolved.
   */
  async write(chunk: Buffer): Promise<void> {
    const pieces = this.#split(chunk);
    await this.#storing;
    this.#storing = this.#store(pieces);
    // The next await throws the error; until then, the rejection must not count as unhandled.
    this.#storing.catch(() => undefined);
  }

  /** Ends the file. The blob is complete, but not committed. */
  async end(): Promise<WrittenFrames> {
    await this.#storing;
    this.#splitter.end();
    const { bytes, records, fault } = this.#splitter;
    if (bytes > this.#frame.byteOffset) await this.#finish(this.#frame, bytes);
    this.#compressor.close();
    return { frames: this.#frames, bytes, records, fault };
  }

  /** Stops writing an upload that was aborted. */
  async abort(): Promise<void> {
    await Promise.allSettled([this.#storing]);
    this.#compressor.close();
  }

  #split(chunk: Buffer): Piece[] {
    const offset = this.#splitter.bytes;
    this.#extractor.beginChunk(chunk, offset);
    this.#splitter.push(chunk);
    this.#extractor.flush(this.#frame.extract);
    this.#extractor.endChunk(this.#splitter.openRecordStart);
    this.#cutOutsideRecords();
    const pieces: Piece[] = [];
    let from = 0;
    for (const { frame, end } of this.#ended.splice(0)) {
      const to = end - offset;
      pieces.push({ frame, bytes: chunk.subarray(from, to), frameEnd: end });
      from = to;
    }
    pieces.push({ frame: this.#frame, bytes: chunk.subarray(from), frameEnd: undefined });
    return pieces;
  }

  #onRecord(span: RecordSpan): void {
    const { start, end, ...problem } = span;
    const frame = this.#frame;
    this.#extractor.add(span);
    frame.index.add({ start: start - frame.byteOffset, end: end - frame.byteOffset, ...problem });
    if (frame.index.records >= FRAME_RECORDS || end - frame.byteOffset >= FRAME_BYTES) this.#cut(end);
  }

  #cut(end: number): void {
    this.#extractor.flush(this.#frame.extract);
    this.#ended.push({ frame: this.#frame, end });
    this.#frame = this.#openFrame(this.#splitter.records, end);
  }

  /** White space, records that are too large and files that are not arrays must not make a frame grow without limit. */
  #cutOutsideRecords(): void {
    const { bytes, openRecordStart } = this.#splitter;
    const isRecordWithinLimit =
      openRecordStart !== undefined && bytes - openRecordStart <= this.#recordMaxBytes;
    if (bytes - this.#frame.byteOffset >= FRAME_BYTES && !isRecordWithinLimit) this.#cut(bytes);
  }

  async #store(pieces: readonly Piece[]): Promise<void> {
    for (const { frame, bytes, frameEnd } of pieces) {
      if (bytes.length > 0) await this.#compressor.compress(bytes);
      if (frameEnd !== undefined) await this.#finish(frame, frameEnd);
      else if (this.#compressor.outputBytes >= APPEND_BYTES) await this.#append(this.#takeData());
    }
  }

  async #finish(frame: OpenFrame, end: number): Promise<void> {
    await this.#compressor.endFrame();
    const data = this.#takeData();
    const extract = await this.#compressExtract(frame);
    const dataCrc32 = crc32(extract ?? '', this.#frameCrc32);
    this.#frameCrc32 = 0;
    const index = frame.index.encode();
    await this.#append([...data, ...(extract === undefined ? [] : [extract]), index]);
    const blobOffset = this.#frameBlobOffset;
    this.#frameBlobOffset = this.#blobBytes;
    this.#frames.push({
      firstRecord: frame.firstRecord,
      records: frame.index.records,
      byteOffset: frame.byteOffset,
      bytes: end - frame.byteOffset,
      blobOffset,
      blobBytes: this.#blobBytes - blobOffset,
      indexBytes: index.length,
      extractBytes: extract?.length ?? null,
      dataCrc32,
      indexCrc32: crc32(index),
    });
  }

  /** Compresses the extract of a frame, whose own data must have been taken. */
  async #compressExtract({ extract }: OpenFrame): Promise<Buffer | undefined> {
    const bytes = extract.encode();
    if (bytes === undefined) return undefined;
    await this.#compressor.compress(bytes);
    await this.#compressor.endFrame();
    return encodeSkippable(Buffer.concat(this.#compressor.takeOutput()));
  }

  #takeData(): Buffer[] {
    const data = this.#compressor.takeOutput();
    for (const piece of data) this.#frameCrc32 = crc32(piece, this.#frameCrc32);
    return data;
  }

  async #append(buffers: readonly Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(buffers);
    await this.#blob.append(bytes);
    this.#blobBytes += bytes.length;
  }

  #openFrame(firstRecord: number, byteOffset: number): OpenFrame {
    const extract = this.#extractor.createExtract();
    return { firstRecord, byteOffset, index: new RecordIndexBuilder(), extract };
  }
}

/** Bytes per output chunk. Limits the memory of an upload independently of the size of its frames. */
const OUTPUT_BYTES = 2 ** 18;

/**
 * Compresses the frames of an upload separately, so that each can be decompressed on its own. All frames share one
 * compressor: creating one per frame would allocate a megabyte each time and fragment the memory.
 */
class FrameCompressor {
  readonly #zstd = createZstdCompress({
    chunkSize: OUTPUT_BYTES,
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  #output: Buffer[] = [];
  #outputBytes = 0;

  constructor() {
    this.#zstd.on('data', (bytes: Buffer) => {
      this.#output.push(bytes);
      this.#outputBytes += bytes.length;
    });
    // The callback of the failed write also receives the error.
    this.#zstd.on('error', () => undefined);
  }

  /** Compressed bytes that `takeOutput` will return. */
  get outputBytes(): number {
    return this.#outputBytes;
  }

  /** Adds bytes to the frame. Resolves when the buffer may be reused. */
  compress(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#zstd.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the frame and starts the next. Resolves once `takeOutput` can return all output of the ended frame. */
  async endFrame(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#zstd.flush(constants.ZSTD_e_end, (error?: Error | null) => (error ? reject(error) : resolve()));
    });
    // Reads any output that remains buffered in the stream (rare).
    while (this.#zstd.read() !== null);
  }

  takeOutput(): Buffer[] {
    const output = this.#output;
    this.#output = [];
    this.#outputBytes = 0;
    return output;
  }

  /** Releases the memory. */
  close(): void {
    this.#zstd.destroy();
  }
}
