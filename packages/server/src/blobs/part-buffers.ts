/**
 * The minimum size that S3 accepts for all parts except the last. These parts have exactly this size, because some
 * servers require parts of equal size.
 */
export const PART_BYTES = 5 * 2 ** 20;
/** Maximum number of unused buffers to keep. A multipart upload uses two. */
const MAX_UNUSED = 2;

/**
 * A pool of buffers for parts. Without it, the buffers of large uploads would occupy memory until the next garbage
 * collection, and the buffers of small uploads would trigger garbage collections.
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
