import { crc32 } from 'node:zlib';
import { type FileFault, type RecordLimits, type RecordSpan, RecordSplitter } from '@sluice/ocsf';
import type { BlobWriter } from '../blob-store/blob-store.ts';
import { FrameCompressor } from './frame-compressor.ts';
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
  /** CRC-32 of each of the two as they are stored; null for frames of before there were checksums. */
  readonly dataCrc32: number | null;
  readonly indexCrc32: number | null;
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
/** Compressed bytes are collected to about this much before they are appended. */
const APPEND_BYTES = MIB / 4;

/** A frame while it is written. */
interface OpenFrame {
  readonly firstRecord: number;
  readonly byteOffset: number;
  readonly index: RecordIndexBuilder;
}

/** A stretch of a chunk that belongs to one frame, and where that frame ends if it ends there. */
interface Piece {
  readonly frame: OpenFrame;
  readonly bytes: Buffer;
  readonly frameEnd: number | undefined;
}

/**
 * Writes an upload into a blob as frames, cut between records: split, compressed and appended while the
 * bytes come in, in memory that does not grow with the file.
 */
export class FrameWriter {
  readonly #blob: BlobWriter;
  readonly #splitter: RecordSplitter;
  readonly #recordMaxBytes: number;
  readonly #frames: Frame[] = [];
  readonly #compressor = new FrameCompressor();
  #frame = openFrame(0, 0);
  /** Frames that end inside the chunk that is being split, and where. */
  #ended: { frame: OpenFrame; end: number }[] = [];
  #blobBytes = 0;
  #frameBlobOffset = 0;
  #frameCrc32 = 0;
  /** The compression of the chunk before; it runs while the next one is split. */
  #storing: Promise<void> = Promise.resolve();

  constructor(blob: BlobWriter, limits: RecordLimits) {
    this.#blob = blob;
    this.#recordMaxBytes = limits.maxRecordBytes;
    this.#splitter = new RecordSplitter(limits, (span) => this.#onRecord(span));
  }

  /** Takes the next bytes of the file. They must stay as they are until the next call of `write` or `end` has resolved. */
  async write(chunk: Buffer): Promise<void> {
    const pieces = this.#split(chunk);
    await this.#storing;
    this.#storing = this.#store(pieces);
    // Its failure is thrown where it is awaited; until then it must not count as unhandled.
    this.#storing.catch(() => undefined);
  }

  /** Says that the file is over. The blob is written then, but not yet committed. */
  async end(): Promise<WrittenFrames> {
    await this.#storing;
    this.#splitter.end();
    const { bytes, records, fault } = this.#splitter;
    if (bytes > this.#frame.byteOffset) await this.#finish(this.#frame, bytes);
    this.#compressor.close();
    return { frames: this.#frames, bytes, records, fault };
  }

  /** Ends the work on an upload that is given up in the middle. */
  async abort(): Promise<void> {
    await Promise.allSettled([this.#storing]);
    this.#compressor.close();
  }

  #split(chunk: Buffer): Piece[] {
    const offset = this.#splitter.bytes;
    this.#splitter.push(chunk);
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

  #onRecord({ start, end, ...problem }: RecordSpan): void {
    const frame = this.#frame;
    frame.index.add({ start: start - frame.byteOffset, end: end - frame.byteOffset, ...problem });
    if (frame.index.records >= FRAME_RECORDS || end - frame.byteOffset >= FRAME_BYTES) this.#cut(end);
  }

  #cut(end: number): void {
    this.#ended.push({ frame: this.#frame, end });
    this.#frame = openFrame(this.#splitter.records, end);
  }

  /** White space, a record that is too large anyway or a file that is no array must not make a frame grow. */
  #cutOutsideRecords(): void {
    const { bytes, openRecordStart } = this.#splitter;
    const recordMayBeGood = openRecordStart !== undefined && bytes - openRecordStart <= this.#recordMaxBytes;
    if (bytes - this.#frame.byteOffset >= FRAME_BYTES && !recordMayBeGood) this.#cut(bytes);
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
    const index = frame.index.encode();
    await this.#append([...this.#takeData(), index]);
    const dataCrc32 = this.#frameCrc32;
    this.#frameCrc32 = 0;
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
      dataCrc32,
      indexCrc32: crc32(index),
    });
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
}

function openFrame(firstRecord: number, byteOffset: number): OpenFrame {
  return { firstRecord, byteOffset, index: new RecordIndexBuilder() };
}
