// Preloaded (`--import`) into a service under test: shortens backoff and S3 timeouts. Each fault affects a single call,
// so longer delays would only slow down the tests.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Source replacements by module, relative to this file. */
const REPLACEMENTS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  '../../src/ingest/worker/backoff.ts': [
    ['const INITIAL_BACKOFF_MS = 1000', 'const INITIAL_BACKOFF_MS = 0'],
    ['const MAX_RETRY_MS = 600_000', 'const MAX_RETRY_MS = 0'],
  ],
  '../../src/ingest/worker/attempt-frame.ts': [['UNAVAILABLE_DELAY_MS = 5000', 'UNAVAILABLE_DELAY_MS = 0']],
  '../../src/retention/remove-deleted-providers.ts': [['RETRY_MS = 2 * SECOND', 'RETRY_MS = 20']],
  '../../src/ingest/worker/worker-thread-entry.ts': [
    ['FRAMES_AT_ONCE = FRAMES_PER_JOB + 1', 'FRAMES_AT_ONCE = 1'],
  ],
  '../../src/blobs/s3-blob-store.ts': [['FIRST_BACKOFF_MS = 100', 'FIRST_BACKOFF_MS = 0']],
  '../../src/blobs/s3-client.ts': [['idleMs: 10_000', 'idleMs: 250']],
};

const replacements = new Map(
  Object.entries(REPLACEMENTS).map(([file, replaced]) => [new URL(file, import.meta.url).href, replaced]),
);
// A module that moved would otherwise keep its delays unnoticed.
for (const url of replacements.keys())
  if (!existsSync(new URL(url))) throw new Error(`${url} does not exist`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const replaced = replacements.get(url);
    if (replaced === undefined) return loaded;
    let source = String(loaded.source);
    for (const [from, to] of replaced) {
      if (source.split(from).length !== 2) throw new Error(`${url} must contain '${from}' exactly once`);
      source = source.replace(from, to);
    }
    return { ...loaded, source };
  },
});
