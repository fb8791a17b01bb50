import { constants, createZstdCompress } from 'node:zlib';

/** What the compressor hands out at once; the memory of one upload does not grow with its frames. */
const OUTPUT_BYTES = 2 ** 18;

/**
 * Compresses the frames of one upload, each for itself, so that each can be inflated alone. All share one compressor:
 * one for each frame would take a megabyte each time, and leave the process's memory in fragments.
 */
export class FrameCompressor {
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
    // The callback of the write that failed tells it, too.
    this.#zstd.on('error', () => undefined);
  }

  /** Compressed bytes that wait to be taken. */
  get outputBytes(): number {
    return this.#outputBytes;
  }

  /** Adds to the frame. Resolves when the bytes are not needed any more. */
  compress(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#zstd.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends the frame; what is compressed next is another one. Resolves when all of its output can be taken. */
  async endFrame(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#zstd.flush(constants.ZSTD_e_end, (error?: Error | null) => (error ? reject(error) : resolve()));
    });
    // Hands out what the stream still holds; nothing as a rule.
    while (this.#zstd.read() !== null);
  }

  takeOutput(): Buffer[] {
    const output = this.#output;
    this.#output = [];
    this.#outputBytes = 0;
    return output;
  }

  /** Gives its memory back. */
  close(): void {
    this.#zstd.destroy();
  }
}
