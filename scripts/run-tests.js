// Runs a lane of tests, or specific files: node scripts/run-tests.js fast|slow|release|peers|citus|distributed|all [FILE...]
// All files share one PostgreSQL cluster and a few services. See scripts/test-setup.ts.
import { execFileSync, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { getCitusSkipReason } from '../packages/server/test/support/citus.ts';
import { installDevTools } from './dev-tools.ts';

const ROOTS = [
  'packages/*/test',
  'tools/*/test',
  'image/test',
  'examples/test',
  'peers/test',
  'deploy/test',
  'docs/test',
  'scripts/test',
];
/** Sampled files run a sample of their cases in the slow lane and all cases in the release lane. */
const SLOW = /\.(?:slow|sampled)\.test\.ts$/;
const PEERS = /\.peers\.test\.ts$/;
const CITUS = /\.citus\.test\.ts$/;
const RELEASE = /\.(?:release|sampled)\.test\.ts$/;
/** Tests of features that also run on distributed databases: these in the Citus lane, all others in the lane `distributed`. */
const IN_CITUS_LANE = /^packages\/server\/test\/(?:ingest|features\/(?:ingestions|providers|subscription))\//;
const NOT_DISTRIBUTED = [
  'features/findings/findings-cursors', // opens its own session
  'ingest/merge/finding-resources', // rereads frames of the previous release
];

const LANES = {
  fast: (file) => ![SLOW, RELEASE, PEERS, CITUS].some((lane) => lane.test(file)),
  slow: (file) => SLOW.test(file),
  release: (file) => RELEASE.test(file) || (LANES.fast(file) && runsWholeInReleaseLane(file)),
  peers: (file) => PEERS.test(file),
  citus: (file) => CITUS.test(file) || (IN_CITUS_LANE.test(file) && runsDistributed(file)),
  distributed: (file) => !IN_CITUS_LANE.test(file) && runsDistributed(file),
  all: () => true,
};

/** Whether a test file of the fast lane has more cases in a release run. */
function runsWholeInReleaseLane(file) {
  return /\/(?:is-whole-run|assert-accessible)\.ts'/.test(readFileSync(file, 'utf8'));
}

/** Whether a test file uses only the service of a lane, and the cluster is available. */
function runsDistributed(file) {
  if (getCitusSkipReason() !== undefined || [CITUS, SLOW, RELEASE, PEERS].some((lane) => lane.test(file)))
    return false;
  if (NOT_DISTRIBUTED.some((name) => file.endsWith(`${name}.test.ts`))) return false;
  const text = readFileSync(file, 'utf8');
  return (
    /join(?:Held)?Service|createFindingsTenant/.test(text) &&
    !/startService|startEmbeddedService|createSandbox/.test(text)
  );
}

const [lane, ...requestedFiles] = process.argv.slice(2);
const isInLane = LANES[lane];
if (isInLane === undefined)
  throw new Error(`Unknown lane '${lane}'. Use one of: ${Object.keys(LANES).join(', ')}.`);
/** The release lane injects thousands of faults and migrates a million findings. */
const TIMEOUT_MS = (lane === 'release' ? 40 : 10) * 60_000;
/** A test file that leaves a process running would block the runner forever. */
const LANE_TIMEOUT_MS = (lane === 'release' ? 120 : 25) * 60_000;
const files =
  requestedFiles.length > 0
    ? requestedFiles
    : ROOTS.flatMap((root) => globSync(`${root}/**/*.test.ts`))
        .filter(isInLane)
        .sort();
// The fast lane needs only `npm ci`.
if (lane !== 'fast' && files.some((file) => readFileSync(file, 'utf8').includes('/scripts/dev-tools.ts'))) {
  const reason = installDevTools();
  if (reason !== undefined) console.error(`${reason}\nTests that require them are skipped.`);
}
// Two more than the number of cores, because some files are mostly idle.
const concurrency = process.env.SLUICE_TEST_CONCURRENCY ?? String(availableParallelism() + 2);

const run = spawn(
  process.execPath,
  [
    // Passed on to the processes of the test files, see packages/server/bin/sluice.js.
    '--no-concurrent-sparkplug',
    '--test',
    '--test-global-setup=scripts/test-setup.ts',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${TIMEOUT_MS}`,
    ...(process.env.SLUICE_TEST_OPTIONS?.split(' ') ?? []),
    ...files,
  ],
  {
    stdio: 'inherit',
    // In its own process group, so that the signals below reach all processes that the tests started.
    detached: true,
    env: {
      // Shared by the tests and all processes that they start.
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node-compile'),
      // V8's default of four helper threads takes 20% of the CPU time of short-lived processes.
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
    `The tests did not finish within ${LANE_TIMEOUT_MS / 60_000} minutes. Still running: ${files.join(', ')}`,
  );
  process.kill(-run.pid, 'SIGTERM');
}, LANE_TIMEOUT_MS);
run.on('exit', (code) => {
  clearTimeout(timeout);
  process.exitCode = code ?? 1;
});
