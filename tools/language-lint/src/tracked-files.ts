import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Fixed by contract or checksum, generated, data, or the list of words itself. */
const EXCLUDED = [
  'docs/specification.md',
  'packages/server/migrations/**',
  'packages/console/src/components/icons/**',
  'packages/console/src/lib/api/schema.d.ts',
  'tools/language-lint/**',
  'LICENSE',
  '**/package-lock.json',
  '**/*.ocsf.json',
];

/** Paths of the tracked files of the repository, below the given paths. */
export function trackedFiles(paths: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...(paths.length > 0 ? paths : ['.'])], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return listed
    .split('\0')
    .filter((file) => file !== '' && !EXCLUDED.some((pattern) => path.matchesGlob(file, pattern)));
}
