import { constants, createZstdCompress } from 'node:zlib';

/** Bytes per output chunk. Limits the memory of an upload independently of the size of its frames. */
const OUTPUT_BYTES = 2 ** 18;

/**
 * Compresses the frames of an upload separately, so that each can be decompressed on its own. All frames share one
 * compressor: creating one per frame would allocate a megabyte each time and fragment the memory.
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
