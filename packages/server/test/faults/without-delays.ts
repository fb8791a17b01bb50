// Preloaded (`--import`) into a service under test: shortens backoff and S3 timeouts. Each fault affects a single call,
// so longer delays would only slow down the tests.
import { registerHooks } from 'node:module';

/** Source replacements by module path suffix. */
const REPLACEMENTS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'jobs/retry-delay': [['MAX_MS = 600_000', 'MAX_MS = 0']],
  'jobs/backoff': [['INITIAL_MS = 1000', 'INITIAL_MS = 0']],
  'jobs/release-frame': [['UNAVAILABLE_DELAY_MS = 5000', 'UNAVAILABLE_DELAY_MS = 0']],
  'jobs/remove-deleted-providers': [['RETRY_MS = 2 * SECOND', 'RETRY_MS = 20']],
  'jobs/worker-thread': [['FRAMES_AT_ONCE = FRAMES_PER_JOB + 1', 'FRAMES_AT_ONCE = 1']],
  'blob-store/s3-range': [['FIRST_BACKOFF_MS = 100', 'FIRST_BACKOFF_MS = 0']],
  'blob-store/s3-client': [['idleMs: 10_000', 'idleMs: 250']],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const replaced = Object.entries(REPLACEMENTS).find(([name]) =>
      url.endsWith(`/server/src/${name}.ts`),
    )?.[1];
    if (replaced === undefined) return loaded;
    let source = String(loaded.source);
    for (const [from, to] of replaced) {
      if (source.split(from).length !== 2) throw new Error(`${url} must contain '${from}' exactly once`);
      source = source.replace(from, to);
    }
    return { ...loaded, source };
  },
});
