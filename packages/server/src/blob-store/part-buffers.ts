/** The minimum size that S3 accepts for a part other than the last. All parts have this size, as some servers require. */
export const PART_BYTES = 5 * 2 ** 20;
/** How many unused buffers are kept; a multipart upload uses two. */
const MAX_UNUSED = 2;

/**
 * A pool of buffers for parts. A new buffer for each part would be kept until the garbage collector runs, and one for each
 * small upload would make it run.
 */
export class PartBuffers {
  readonly #unused: Buffer[] = [];

  acquire(): Buffer {
    return this.#unused.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  release(buffer: Buffer): void {
    if (this.#unused.length < MAX_UNUSED) this.#unused.push(buffer);
  }
}
