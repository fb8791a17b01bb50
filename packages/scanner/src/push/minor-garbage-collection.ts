import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECTION_INTERVAL_BYTES = 2 ** 23;

/**
 * Returns a function to call with the number of bytes read so far. It runs a minor garbage collection every 8 MiB,
 * which reduces memory usage during the upload of a large uncompressed file from 178 MB to 145 MB. If it ran more often,
 * buffers in use would survive it twice, after which only a major garbage collection can free them. Only for use in the
 * command, because it sets a process-wide flag.
 */
export function createMinorGarbageCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  let collectedAt = 0;
  return (bytes) => {
    if (bytes >= collectedAt && bytes - collectedAt < COLLECTION_INTERVAL_BYTES) return;
    collectGarbage({ type: 'minor' });
    collectedAt = bytes;
  };
}
