import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Collection {
  readonly type: 'minor' | 'major';
  readonly flavor?: 'last-resort';
}

setFlagsFromString('--expose-gc');
const collectGarbage: (options: Collection) => void = runInNewContext('gc');

/**
 * Runs a full garbage collection, which takes about 50 ms. After startup, a third of the heap is garbage from loading
 * modules.
 */
export function collectAllGarbage(): void {
  collectGarbage({ type: 'major', flavor: 'last-resort' });
}

/**
 * Collects recent garbage in about 0.2 ms. Otherwise, V8 would promote unused buffers to the old generation and collect
 * the whole heap. During an upload, where each chunk is a new buffer, that would take 10 to 20 ms every 11 MB.
 */
export function collectYoungGarbage(): void {
  collectGarbage({ type: 'minor' });
}

/** The heap of this thread may grow by this many bytes before it is collected. */
const MAX_GROWTH_BYTES = 24 * 2 ** 20;
let collectedBytes = 0;

/**
 * Collects the whole heap of this thread if it has grown considerably since the last call that did so. V8 itself lets
 * the old generation grow by more than 100 MiB first.
 */
export function collectGrownHeap(): void {
  const usedBytes = getHeapStatistics().used_heap_size;
  collectedBytes = Math.min(collectedBytes, usedBytes);
  if (usedBytes < collectedBytes + MAX_GROWTH_BYTES) return;
  collectGarbage({ type: 'major' });
  collectedBytes = getHeapStatistics().used_heap_size;
}

/**
 * Releases the memory of a large buffer immediately, so that it does not trigger a collection of the whole heap. The
 * buffer must not be used afterwards. A slice of a larger buffer is left to the garbage collector.
 */
export function releaseBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
