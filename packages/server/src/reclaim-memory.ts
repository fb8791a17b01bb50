import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
interface Collection {
  readonly type: 'minor' | 'major';
  readonly flavor?: 'last-resort';
}
const collectGarbage: (options: Collection) => void = runInNewContext('gc');

/** Gives back what can be, in some 50 ms: for the end of a start, whose modules leave a third of the heap behind. */
export function collectAllGarbage(): void {
  collectGarbage({ type: 'major', flavor: 'last-resort' });
}

/**
 * Collects what was made and dropped a moment ago, in about 0.2 ms. By itself V8 lets dropped buffers wait, counts
 * them as old, and collects the whole heap: during an upload, whose every chunk is a new buffer, once every 11 MB,
 * for 10 to 20 ms each.
 */
export function collectYoungGarbage(): void {
  collectGarbage({ type: 'minor' });
}

/**
 * Gives the memory of a large buffer back at once, for the same reason; nobody may use the buffer any more. A
 * buffer that is a part of a larger one is left to the garbage collector.
 */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
