// Preloaded by a service under test (`--import`): shortens its retry pauses and its patience with S3. A fault is gone
// after one call, so a wait shows nothing.
import { registerHooks } from 'node:module';

/** By the end of a module's path: what is replaced, and by what. */
const REPLACED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'jobs/retry-delay': [['MAX_MS = 600_000', 'MAX_MS = 0']],
  'jobs/backoff': [['INITIAL_MS = 1000', 'INITIAL_MS = 0']],
  'jobs/release-frame': [['UNAVAILABLE_DELAY_MS = 5000', 'UNAVAILABLE_DELAY_MS = 0']],
  'jobs/remove-deleted-providers': [['RETRY_MS = 2 * SECOND', 'RETRY_MS = 20']],
  'jobs/worker-thread': [['FRAMES_AT_ONCE = FRAMES_PER_JOB + 1', 'FRAMES_AT_ONCE = 1']],
  'blob-store/s3-range': [['FIRST_PAUSE_MS = 100', 'FIRST_PAUSE_MS = 0']],
  'blob-store/s3-client': [['silenceMs: 10_000', 'silenceMs: 250']],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const replaced = Object.entries(REPLACED).find(([name]) => url.endsWith(`/server/src/${name}.ts`))?.[1];
    if (replaced === undefined) return loaded;
    let source = String(loaded.source);
    for (const [from, to] of replaced) {
      if (source.split(from).length !== 2) throw new Error(`${url} must contain '${from}' exactly once`);
      source = source.replace(from, to);
    }
    return { ...loaded, source };
  },
});
