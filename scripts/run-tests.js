// Runs a lane of the tests, or the files that are named: node scripts/run-tests.js fast|slow|release|peers|all [FILE...]
// All files share one PostgreSQL cluster and a few services, see scripts/test-setup.ts.
import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { installDevTools } from './dev-tools.ts';

const ROOTS = [
  'packages/*/test',
  'tools/*/test',
  'image/test',
  'examples/test',
  'peers/test',
  'deploy/test',
  'docs/test',
];
/** A sampled file does a small sample of its work in the slow lane, and all of it in the release lane. */
const SLOW = /\.(?:slow|sampled)\.test\.ts$/;
const PEERS = /\.peers\.test\.ts$/;
const RELEASE = /\.(?:release|sampled)\.test\.ts$/;
const TIMEOUT_MS = 600_000;
/** A file that has ended its tests and left something running would keep the runner for ever. */
const LANE_TIMEOUT_MS = 25 * 60_000;
const LANES = {
  fast: (file) => !SLOW.test(file) && !RELEASE.test(file) && !PEERS.test(file),
  slow: (file) => SLOW.test(file),
  release: (file) => RELEASE.test(file),
  peers: (file) => PEERS.test(file),
  all: () => true,
};

const [lane, ...named] = process.argv.slice(2);
const isInLane = LANES[lane];
if (isInLane === undefined) throw new Error(`the lane must be ${Object.keys(LANES).join(', ')}, not ${lane}`);
const files =
  named.length > 0
    ? named
    : ROOTS.flatMap((root) => globSync(`${root}/**/*.test.ts`))
        .filter(isInLane)
        .sort();
// The fast lane runs after `npm ci` alone.
if (lane !== 'fast' && files.some((file) => readFileSync(file, 'utf8').includes('/scripts/dev-tools.ts'))) {
  const reason = installDevTools();
  if (reason !== undefined) console.error(`${reason}\nTests that need them are skipped.`);
}
// Two more than cores: some files wait.
const concurrency = process.env.SLUICE_TEST_CONCURRENCY ?? String(availableParallelism() + 2);

const run = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=scripts/test-setup.ts',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${TIMEOUT_MS}`,
    ...(process.env.SLUICE_TEST_OPTIONS?.split(' ') ?? []),
    ...files,
  ],
  {
    stdio: 'inherit',
    // A group of their own: whatever the tests have started is reached by the signals below.
    detached: true,
    env: {
      // Compiled code of the tests, of services and of commands, for all the processes that they start.
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node-compile'),
      // Four helper threads of V8 in each of a thousand short processes cost a fifth of their CPU time.
      NODE_OPTIONS: '--v8-pool-size=1',
      ...process.env,
      SLUICE_TEST_CONCURRENCY: concurrency,
      SLUICE_TEST_LANE: lane,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.kill(-run.pid, signal));
const timeout = setTimeout(() => {
  const processes = execFileSync('ps', ['-eo', 'pgid,args'], { encoding: 'utf8' }).split('\n');
  const files = processes
    .filter((line) => line.trim().startsWith(`${run.pid} `))
    .flatMap((line) => line.match(/\S+\.test\.ts$/) ?? []);
  console.error(
    `The tests did not end within ${LANE_TIMEOUT_MS / 60_000} minutes. Still running: ${files.join(', ')}`,
  );
  process.kill(-run.pid, 'SIGTERM');
}, LANE_TIMEOUT_MS);
run.on('exit', (code) => {
  clearTimeout(timeout);
  process.exitCode = code ?? 1;
});
