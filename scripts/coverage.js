// Measures the line and branch coverage of each package: node scripts/coverage.js [fast|slow]...
// All processes write their coverage to one folder, so services and commands are included. Node's test runner then reports it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const lanes = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'sluice-coverage-'));
try {
  for (const lane of lanes.length > 0 ? lanes : ['fast', 'slow']) {
    run(['scripts/run-tests.js', lane], { NODE_V8_COVERAGE: folder });
  }
  run(
    [
      '--test',
      '--experimental-test-coverage',
      '--test-coverage-include=packages/*/src/**',
      '--test-coverage-include=tools/*/src/**',
      '--test-reporter=./scripts/coverage/by-package.js',
      'scripts/coverage/load-coverage.test.js',
    ],
    { COLLECTED_COVERAGE: folder },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(args, env) {
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exitCode = 1;
}
