import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: (options: { readonly type: 'minor' }) => void = runInNewContext('gc');

/**
 * Collects what was made and dropped a moment ago, in about 0.2 ms. By itself V8 lets 64 MB of dropped buffers wait, so
 * that a large file pushed as it is took 186 MiB instead of 130.
 */
export function collectYoungGarbage(): void {
  collectGarbage({ type: 'minor' });
}
