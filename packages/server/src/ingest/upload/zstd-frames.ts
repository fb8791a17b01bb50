/** The data is not a valid zstd file (RFC 8878). */
export class ZstdFormatError extends Error {}

/** The zstd file has more frames than is plausible for its size. */
export class TooManyFramesError extends Error {}

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const SKIPPABLE_HEADER_BYTES = 8;
const MAX_FRAME_HEADER_BYTES = 18;
const RAW_BLOCK = 0;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
/** Number of frames allowed in any file, and the number of bytes required for each additional frame. */
const BASE_FRAMES = 10_000;
const BYTES_PER_FRAME = 512;

type Part = 'frameHeader' | 'skipped' | 'firstBlockHeader' | 'blockHeader' | 'block' | 'checksum';

/**
 * Finds the frame boundaries in a zstd file (RFC 8878, section 3.1) without decoding the frames, and drops skippable
 * and empty frames. Node.js's decoder (24.21) reads only one frame from each chunk and silently drops the rest of the
 * chunk, but `zstd -T` and `cat` create files with many frames.
 */
export class ZstdFrameWalker {
  #part: Part = 'frameHeader';
  /** The header being read. A frame header is buffered until the first block shows whether the frame is empty. */
  readonly #header = Buffer.alloc(MAX_FRAME_HEADER_BYTES + BLOCK_HEADER_BYTES);
  #headerBytes = 0;
  /** The block header being read. */
  #blockHeader = 0;
  #blockHeaderBytes = 0;
  /** Remaining bytes of a block, a checksum or skipped data. */
  #remaining = 0;
  #lastBlock = false;
  #hasChecksum = false;
  #mayBeEmpty = false;
  #hasData = false;
  #frames = 0;
  #bytes = 0;

  /** Whether the file can end here. */
  get complete(): boolean {
    return this.#part === 'frameHeader' && this.#headerBytes === 0 && this.#hasData;
  }

  /**
   * Returns the frame content in the next bytes of the file, in pieces that each belong to a single frame.
   *
   * @throws ZstdFormatError
   *
   * @throws TooManyFramesError
   */
  push(chunk: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    this.#bytes += chunk.length;
    /** Start of the content that has not been returned yet. */
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      switch (this.#part) {
        case 'frameHeader':
          this.#header[this.#headerBytes++] = chunk[at++] ?? 0;
          this.#readFrameHeader();
          break;
        case 'firstBlockHeader':
          this.#header[this.#headerBytes++] = chunk[at] ?? 0;
          if (!this.#readBlockHeader(chunk[at++] ?? 0)) break;
          if (!this.#isEmpty()) pieces.push(Buffer.from(this.#header.subarray(0, this.#headerBytes)));
          this.#headerBytes = 0;
          start = at;
          break;
        case 'blockHeader':
          this.#readBlockHeader(chunk[at++] ?? 0);
          break;
        default: {
          const taken = Math.min(this.#remaining, chunk.length - at);
          at += taken;
          this.#remaining -= taken;
          if (this.#remaining > 0) break;
          if (this.#part === 'skipped') this.#part = 'frameHeader';
          else if (this.#part === 'block') this.#afterBlock();
        }
      }
      if (this.#part !== 'checksum' || this.#remaining > 0) continue;
      if (start < at) pieces.push(chunk.subarray(start, at));
      this.#part = 'frameHeader';
    }
    const isContent = this.#part === 'blockHeader' || this.#part === 'block' || this.#part === 'checksum';
    if (isContent && start < chunk.length) pieces.push(chunk.subarray(start));
    return pieces;
  }

  #readFrameHeader(): void {
    const length = this.#headerBytes;
    if (length < 5) return;
    const magic = this.#header.readUInt32LE(0);
    if (isSkippable(magic)) {
      if (length < SKIPPABLE_HEADER_BYTES) return;
      this.#headerBytes = 0;
      this.#countFrame();
      this.#skip(this.#header.readUInt32LE(4));
      return;
    }
    if (magic !== FRAME_MAGIC) throw new ZstdFormatError('a zstd frame is followed by other data');
    const { headerBytes, sizeBytes, hasChecksum } = readDescriptor(this.#header[4] ?? 0);
    if (length < headerBytes) return;
    this.#countFrame();
    this.#hasData = true;
    this.#hasChecksum = hasChecksum;
    // Two-byte sizes have an offset of 256.
    this.#mayBeEmpty =
      sizeBytes !== 2 &&
      this.#header.subarray(headerBytes - sizeBytes, headerBytes).every((byte) => byte === 0);
    this.#part = 'firstBlockHeader';
  }

  #countFrame(): void {
    this.#frames++;
    if (this.#frames > BASE_FRAMES + this.#bytes / BYTES_PER_FRAME)
      throw new TooManyFramesError(`${this.#frames} zstd frames in ${this.#bytes} bytes`);
  }

  #skip(bytes: number): void {
    this.#remaining = bytes;
    this.#part = bytes > 0 ? 'skipped' : 'frameHeader';
  }

  /** Returns whether the header is complete and the block after it has started. */
  #readBlockHeader(byte: number): boolean {
    this.#blockHeader |= byte << (8 * this.#blockHeaderBytes++);
    if (this.#blockHeaderBytes < BLOCK_HEADER_BYTES) return false;
    const header = this.#blockHeader;
    this.#blockHeader = 0;
    this.#blockHeaderBytes = 0;
    const type = (header >> 1) & 0b11;
    if (type === RESERVED_BLOCK) throw new ZstdFormatError('a block has a reserved type');
    this.#lastBlock = (header & 1) === 1;
    this.#mayBeEmpty &&= this.#lastBlock && type === RAW_BLOCK && header >> 3 === 0;
    this.#remaining = type === RLE_BLOCK ? 1 : header >> 3;
    this.#part = 'block';
    if (this.#remaining === 0) this.#afterBlock();
    return true;
  }

  /** Whether the first block is the last block and empty. If so, the remainder of the frame is skipped. */
  #isEmpty(): boolean {
    if (this.#mayBeEmpty) this.#skip(this.#hasChecksum ? CHECKSUM_BYTES : 0);
    return this.#mayBeEmpty;
  }

  #afterBlock(): void {
    this.#part = this.#lastBlock ? 'checksum' : 'blockHeader';
    this.#remaining = this.#lastBlock && this.#hasChecksum ? CHECKSUM_BYTES : 0;
  }
}

/** Whether a zstd file can start with this magic number. */
export function isZstdMagic(magic: number): boolean {
  return magic === FRAME_MAGIC || isSkippable(magic);
}

/** Skippable frames have 16 magic numbers (RFC 8878, section 3.1.2). */
function isSkippable(magic: number): boolean {
  return (magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC;
}

/** RFC 8878, section 3.1.1.1: magic number, descriptor, window, dictionary id and, at the end, content size. */
function readDescriptor(descriptor: number) {
  const singleSegment = (descriptor & 0b100000) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11] ?? 0;
  const sizeBytes = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return {
    headerBytes: 5 + (singleSegment ? 0 : 1) + dictionaryBytes + sizeBytes,
    sizeBytes,
    hasChecksum: (descriptor & 0b100) !== 0,
  };
}
