import { constants, createZstdCompress } from 'node:zlib';
import { type FileFault, type RecordLimits, type RecordSpan, RecordSplitter } from '@sluice/ocsf';
import type { BlobWriter } from '../blob-store/blob-store.ts';
import { RecordIndexBuilder } from './record-index.ts';

/** One frame as its row says it. Offsets and lengths are in bytes. */
export interface Frame {
  readonly firstRecord: number;
  readonly records: number;
  /** Place in the inflated file. */
  readonly byteOffset: number;
  readonly bytes: number;
  /** Place in the blob: the data and, at its end, the record index. */
  readonly blobOffset: number;
  readonly blobBytes: number;
  readonly indexBytes: number;
}

export interface WrittenFrames {
  readonly frames: readonly Frame[];
  readonly bytes: number;
  /** Complete elements of the top-level array. */
  readonly records: number;
  readonly fault: FileFault | undefined;
}

const MIB = 2 ** 20;
/** A frame ends at the first record that ends at or after this, so that one more record fits below 16 MiB. */
const FRAME_BYTES = 12 * MIB;
/** Measured: with 1,250 records in a transaction ingestion runs at half the speed; 20,000 gain nothing. */
const FRAME_RECORDS = 5000;
/** The compressor is called with this much at once: as fast as one call for the whole frame, at 1/64 of the memory. */
const BATCH_BYTES = MIB / 4;

/**
 * Writes an upload into a blob as frames, cut between records: split, compressed and appended while the
 * bytes come in, in memory that does not grow with the file.
 */
export class FrameWriter {
  readonly #blob: BlobWriter;
  readonly #splitter: RecordSplitter;
  readonly #recordMaxBytes: number;
  readonly #frames: Frame[] = [];
  #frame: OpenFrame;
  /** Frames that end inside the chunk that is being split, and where. */
  #ended: { frame: OpenFrame; end: number }[] = [];
  /** Collects what is compressed next; the other one may still be read by the compressor. */
  #batch: Buffer = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #otherBatch: Buffer = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #batchBytes = 0;
  #blobBytes = 0;
  /** The batch that is being compressed while the next one is collected. */
  #compressing: Promise<void> = Promise.resolve();

  constructor(blob: BlobWriter, limits: RecordLimits) {
    this.#blob = blob;
    this.#recordMaxBytes = limits.maxRecordBytes;
    this.#splitter = new RecordSplitter(limits, (span) => this.#onRecord(span));
    this.#frame = new OpenFrame(0, 0);
  }

  async write(chunk: Buffer): Promise<void> {
    const offset = this.#splitter.bytes;
    this.#splitter.push(chunk);
    this.#cutOutsideRecords();
    let from = 0;
    for (const { frame, end } of this.#ended.splice(0)) {
      const to = end - offset;
      await this.#collect(frame, chunk.subarray(from, to));
      await this.#finish(frame, end);
      from = to;
    }
    await this.#collect(this.#frame, chunk.subarray(from));
  }

  /** Says that the file is over. The blob is written then, but not yet committed. */
  async end(): Promise<WrittenFrames> {
    this.#splitter.end();
    const { bytes, records, fault } = this.#splitter;
    if (bytes > this.#frame.byteOffset) await this.#finish(this.#frame, bytes);
    else this.#frame.compressor.destroy();
    return { frames: this.#frames, bytes, records, fault };
  }

  /** Gives the compressor back when the upload ends in the middle. */
  abort(): void {
    this.#frame.compressor.destroy();
    for (const { frame } of this.#ended) frame.compressor.destroy();
  }

  #onRecord({ start, end, ...problem }: RecordSpan): void {
    const frame = this.#frame;
    frame.index.add({ start: start - frame.byteOffset, end: end - frame.byteOffset, ...problem });
    if (frame.index.records >= FRAME_RECORDS || end - frame.byteOffset >= FRAME_BYTES) this.#cut(end);
  }

  #cut(end: number): void {
    this.#ended.push({ frame: this.#frame, end });
    this.#frame = new OpenFrame(this.#splitter.records, end);
  }

  /** White space, a record that is too large anyway or a file that is no array must not make a frame grow. */
  #cutOutsideRecords(): void {
    const { bytes, openRecordStart } = this.#splitter;
    const recordMayBeGood = openRecordStart !== undefined && bytes - openRecordStart <= this.#recordMaxBytes;
    if (bytes - this.#frame.byteOffset >= FRAME_BYTES && !recordMayBeGood) this.#cut(bytes);
  }

  async #collect(frame: OpenFrame, bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const copied = bytes.copy(this.#batch, this.#batchBytes, from);
      this.#batchBytes += copied;
      from += copied;
      if (this.#batchBytes === BATCH_BYTES) await this.#compress(frame);
    }
  }

  async #compress(frame: OpenFrame): Promise<void> {
    const batch = this.#batch.subarray(0, this.#batchBytes);
    await this.#compressing;
    await this.#append(frame.takeOutput());
    this.#compressing = frame.compress(batch);
    // Its failure is thrown where it is awaited; until then it must not count as unhandled.
    this.#compressing.catch(() => undefined);
    [this.#batch, this.#otherBatch] = [this.#otherBatch, this.#batch];
    this.#batchBytes = 0;
  }

  async #finish(frame: OpenFrame, end: number): Promise<void> {
    await this.#compress(frame);
    await this.#compressing;
    await frame.end();
    const index = frame.index.encode();
    const blobOffset = this.#blobBytes - frame.appendedBytes;
    const data = frame.takeOutput();
    await this.#append([...data, index]);
    this.#frames.push({
      firstRecord: frame.firstRecord,
      records: frame.index.records,
      byteOffset: frame.byteOffset,
      bytes: end - frame.byteOffset,
      blobOffset,
      blobBytes: this.#blobBytes - blobOffset,
      indexBytes: index.length,
    });
  }

  async #append(buffers: readonly Uint8Array[]): Promise<void> {
    for (const bytes of buffers) {
      await this.#blob.append(bytes);
      this.#blobBytes += bytes.length;
    }
  }
}

class OpenFrame {
  readonly firstRecord: number;
  readonly byteOffset: number;
  readonly index = new RecordIndexBuilder();
  readonly compressor = createZstdCompress({
    chunkSize: BATCH_BYTES,
    params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  #output: Buffer[] = [];
  #appendedBytes = 0;

  constructor(firstRecord: number, byteOffset: number) {
    this.firstRecord = firstRecord;
    this.byteOffset = byteOffset;
    this.compressor.on('data', (bytes: Buffer) => this.#output.push(bytes));
    // The callback of the write that failed tells it, too.
    this.compressor.on('error', () => undefined);
  }

  /** Compressed bytes of this frame that were handed out before. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  compress(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.compressor.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.compressor.once('end', resolve).once('error', reject);
      this.compressor.end();
    });
  }

  takeOutput(): Buffer[] {
    const output = this.#output;
    this.#output = [];
    this.#appendedBytes += output.reduce((sum, { length }) => sum + length, 0);
    return output;
  }
}
