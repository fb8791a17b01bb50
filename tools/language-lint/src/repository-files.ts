import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Files fixed by a contract or checksum, generated files, data, and the word list itself. */
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

/** Returns the paths of the tracked files under the given paths, and of new ones that are not ignored. */
export function repositoryFiles(paths: readonly string[]): string[] {
  const options = ['-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', ['ls-files', ...options, '--', ...(paths.length > 0 ? paths : ['.'])], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return listed
    .split('\0')
    .filter((file) => file !== '' && !EXCLUDED.some((pattern) => path.matchesGlob(file, pattern)));
}
