// Contains no tests. Passes the coverage of previous test runs to the test runner.
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const from = process.env.COLLECTED_COVERAGE;
for (const name of readdirSync(from)) {
  const file = path.join(from, name);
  // Skip truncated files of processes that were killed while writing their coverage.
  if (readFileSync(file).at(-1) === '}'.charCodeAt(0))
    copyFileSync(file, path.join(process.env.NODE_V8_COVERAGE, name));
}
