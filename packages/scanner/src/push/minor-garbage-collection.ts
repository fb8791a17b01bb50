import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const COLLECT_EVERY_BYTES = 2 ** 22;

/**
 * Returns a function to call with the bytes read so far. It collects recently dropped buffers every 4 MiB, so that sending
 * a large file as it is takes 120 MB of memory instead of 178. For the command only: it sets a flag of the whole process.
 */
export function createMinorGarbageCollector(): (bytes: number) => void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  let collectedAt = 0;
  return (bytes) => {
    if (bytes >= collectedAt && bytes - collectedAt < COLLECT_EVERY_BYTES) return;
    collectGarbage({ type: 'minor' });
    collectedAt = bytes;
  };
}
