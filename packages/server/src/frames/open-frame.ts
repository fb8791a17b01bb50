import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';
import { RecordIndexBuilder } from './record-index.ts';

/** What the compressor hands out at once; the memory of one upload does not grow with its frames. */
const OUTPUT_BYTES = 2 ** 18;

/** A frame while it is written: the index of its records, and its data on the way through the compressor. */
export class OpenFrame {
  readonly firstRecord: number;
  readonly byteOffset: number;
  readonly index = new RecordIndexBuilder();
  #compressor: ZstdCompress | undefined;
  #output: Buffer[] = [];
  #outputBytes = 0;

  constructor(firstRecord: number, byteOffset: number) {
    this.firstRecord = firstRecord;
    this.byteOffset = byteOffset;
  }

  /** Compressed bytes that wait to be taken. */
  get outputBytes(): number {
    return this.#outputBytes;
  }

  /** Resolves when the bytes are not needed any more. */
  compress(bytes: Buffer): Promise<void> {
    const compressor = this.#open();
    return new Promise((resolve, reject) => {
      compressor.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves when the last output is there. */
  end(): Promise<void> {
    const compressor = this.#open();
    return new Promise((resolve, reject) => {
      compressor.once('end', resolve).once('error', reject);
      compressor.end();
    });
  }

  takeOutput(): Buffer[] {
    const output = this.#output;
    this.#output = [];
    this.#outputBytes = 0;
    return output;
  }

  /** Gives the compressor back when the frame is not ended. */
  abort(): void {
    this.#compressor?.destroy();
  }

  #open(): ZstdCompress {
    if (this.#compressor !== undefined) return this.#compressor;
    const compressor = createZstdCompress({
      chunkSize: OUTPUT_BYTES,
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
    });
    compressor.on('data', (bytes: Buffer) => {
      this.#output.push(bytes);
      this.#outputBytes += bytes.length;
    });
    // The callback of the write that failed tells it, too.
    compressor.on('error', () => undefined);
    this.#compressor = compressor;
    return compressor;
  }
}
