/** A stretch of a zstd file that belongs to one frame with data; `last` ends that frame. */
export interface ZstdPiece {
  readonly bytes: Buffer;
  readonly last: boolean;
}

/** Bytes that are no zstd file (RFC 8878). */
export class ZstdFormatError extends Error {}

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const RESERVED_BLOCK = 3;
const RLE_BLOCK = 1;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;

type Part = 'frameHeader' | 'skipped' | 'blockHeader' | 'block' | 'checksum';

/**
 * Finds where the frames of a zstd file end (RFC 8878, section 3.1), without decoding them, and leaves out
 * skippable ones. Needed because Node's decoder (24.21) takes the first frame of a chunk and drops whatever
 * follows it there without an error, while `zstd -T` and `cat` write files of many frames.
 */
export class ZstdFrameWalker {
  #part: Part = 'frameHeader';
  /** Bytes of a header that a chunk's end has cut. */
  #header: number[] = [];
  /** Bytes left of a block, checksum or skipped frame. */
  #left = 0;
  #lastBlock = false;
  #hasChecksum = false;
  #frames = 0;

  /** Frames with data that began so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Whether the file may end here. */
  get complete(): boolean {
    return this.#part === 'frameHeader' && this.#header.length === 0 && this.#frames > 0;
  }

  get #frameIsWhole(): boolean {
    return this.#part === 'checksum' && this.#left === 0;
  }

  /** The next bytes of the file, without its skippable frames; throws a ZstdFormatError. */
  push(chunk: Buffer): ZstdPiece[] {
    const pieces: ZstdPiece[] = [];
    /** Start of the data that was not handed out yet. */
    let start = 0;
    let at = 0;
    const endFrame = () => {
      pieces.push({ bytes: chunk.subarray(start, at), last: true });
      start = at;
      this.#part = 'frameHeader';
    };
    while (at < chunk.length) {
      if (this.#part === 'frameHeader') {
        this.#header.push(chunk[at++] ?? 0);
        const header = this.#readFrameHeader();
        if (header === undefined) continue;
        if (header.length > 0) pieces.push({ bytes: header, last: false });
        start = at;
        continue;
      }
      if (this.#part === 'blockHeader') {
        this.#header.push(chunk[at++] ?? 0);
        if (this.#header.length === BLOCK_HEADER_BYTES) this.#startBlock();
        if (this.#frameIsWhole) endFrame();
        continue;
      }
      const taken = Math.min(this.#left, chunk.length - at);
      at += taken;
      this.#left -= taken;
      if (this.#part === 'skipped') start = at;
      if (this.#left > 0) break;
      if (this.#part === 'skipped') this.#part = 'frameHeader';
      else if (this.#part === 'block') this.#afterBlock();
      if (this.#frameIsWhole) endFrame();
    }
    // What a frame's header begins may turn out to be skippable; it is handed out when it is whole.
    if (start < chunk.length && this.#part !== 'skipped' && this.#part !== 'frameHeader')
      pieces.push({ bytes: chunk.subarray(start), last: false });
    return pieces;
  }

  /** Takes the header in once it is whole: then the result is what of it belongs to a frame with data. */
  #readFrameHeader(): Buffer | undefined {
    const header = Buffer.from(this.#header);
    if (header.length < 5) return undefined;
    const magic = header.readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      if (header.length < 8) return undefined;
      this.#left = header.readUInt32LE(4);
      this.#part = this.#left > 0 ? 'skipped' : 'frameHeader';
      this.#header = [];
      return Buffer.alloc(0);
    }
    if (magic !== FRAME_MAGIC) throw new ZstdFormatError('what follows a frame is no zstd frame');
    const descriptor = header[4] ?? 0;
    if (header.length < frameHeaderBytes(descriptor)) return undefined;
    this.#hasChecksum = (descriptor & 0b100) !== 0;
    this.#frames++;
    this.#part = 'blockHeader';
    this.#header = [];
    return header;
  }

  #startBlock(): void {
    const header = Buffer.from(this.#header).readUIntLE(0, BLOCK_HEADER_BYTES);
    const type = (header >> 1) & 0b11;
    if (type === RESERVED_BLOCK) throw new ZstdFormatError('a block has the reserved type');
    this.#lastBlock = (header & 1) === 1;
    this.#left = type === RLE_BLOCK ? 1 : header >> 3;
    this.#part = 'block';
    this.#header = [];
    if (this.#left === 0) this.#afterBlock();
  }

  #afterBlock(): void {
    this.#part = this.#lastBlock ? 'checksum' : 'blockHeader';
    this.#left = this.#lastBlock && this.#hasChecksum ? CHECKSUM_BYTES : 0;
  }
}

/** RFC 8878, section 3.1.1.1: magic, descriptor, window, dictionary id and content size. */
function frameHeaderBytes(descriptor: number): number {
  const singleSegment = (descriptor & 0b100000) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11] ?? 0;
  const contentSizeBytes = [singleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return 5 + (singleSegment ? 0 : 1) + dictionaryBytes + contentSizeBytes;
}
