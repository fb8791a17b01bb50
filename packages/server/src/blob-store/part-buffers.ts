/** The least that S3 takes as a part that is not the last. All parts are of one size, as some servers ask for. */
export const PART_BYTES = 5 * 2 ** 20;
/** Spare buffers that are kept; an upload of several parts uses two. */
const KEPT = 2;

/**
 * Buffers for parts, used again and again: a new one for each part would wait for the garbage collector, and one
 * for each small upload would make it run.
 */
export class PartBuffers {
  readonly #spare: Buffer[] = [];

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  giveBack(buffer: Buffer): void {
    if (this.#spare.length < KEPT) this.#spare.push(buffer);
  }
}
