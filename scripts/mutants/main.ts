// Mutation tests: applies one breaking change at a time and verifies that a test fails.
// npm run test:mutants [-- WORD...] runs all mutants, or those whose description or file contains one of the words.
// Tests the last commit in a temporary clone.
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertApplicable, findTestFiles } from './assert-applicable.ts';
import type { Mutant } from './define-mutants.ts';
import { MUTANTS } from './mutants.ts';

const words = process.argv.slice(2);
const selected = MUTANTS.filter(
  ({ breaks, file }) =>
    words.length === 0 || words.some((word) => breaks.includes(word) || file.includes(word)),
);
const checkout = path.resolve(import.meta.dirname, '../..');
const clone = await mkdtemp(path.join(tmpdir(), 'sluice-mutants-'));
try {
  // If the tests run as root, PostgreSQL runs as another user, who must be able to read its binaries in the clone.
  await chmod(clone, 0o755);
  run('git', ['clone', '--quiet', '--shared', checkout, clone], '.');
  run('npm', ['ci', '--silent', '--no-audit', '--no-fund'], clone);
  for (const mutant of selected) assertApplicable(clone, mutant);
  const survivors = [];
  for (const mutant of selected) {
    const { failedTest, seconds } = await runMutant(mutant);
    if (failedTest === undefined) survivors.push(mutant);
    console.log(
      `${failedTest === undefined ? 'SURVIVED' : 'detected'} ${mutant.breaks} (${mutant.file}): ${failedTest ?? mutant.tests.join(', ')}, ${seconds} s`,
    );
  }
  console.log(`${selected.length - survivors.length} of ${selected.length} mutants were detected`);
  if (survivors.length > 0) process.exitCode = 1;
} finally {
  // Processes of a failed test run may still be writing to the folder.
  await rm(clone, { recursive: true, force: true, maxRetries: 10 });
}

/** Applies a mutant. Returns the first test file that fails, or `undefined` if all pass. */
async function runMutant({
  package: folder,
  file,
  find,
  replace,
  tests,
}: Mutant): Promise<{ failedTest: string | undefined; seconds: number }> {
  const source = path.join(clone, file);
  const text = await readFile(source, 'utf8');
  const files = tests.flatMap((test) => findTestFiles(clone, folder, test));
  const start = performance.now();
  await writeFile(
    source,
    text.replace(find, () => replace),
  );
  try {
    if (folder === 'packages/console') run('npm', ['run', '--silent', 'prepare'], clone);
    const failedTest = files.find((test) => !passes(test));
    return { failedTest, seconds: Math.round((performance.now() - start) / 1000) };
  } finally {
    await writeFile(source, text);
  }
}

/** Throws if no test ran, because a run that fails to start must not count as a detection. */
function passes(test: string): boolean {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run-tests.js', laneOf(test), test],
    {
      cwd: clone,
      encoding: 'utf8',
      // The test cluster is beside the checkout, not beside the clone. Without it, these tests would be skipped.
      env: { SLUICE_TEST_CITUS: path.resolve(checkout, '../shared/citus'), ...process.env },
    },
  );
  if (!/^ℹ pass \d+$/m.test(stdout)) throw new Error(`No tests ran: ${stdout}${stderr}`);
  return status === 0;
}

/** The release lane runs all cases of a test file. Those of the fault injection would take half an hour. */
function laneOf(test: string): string {
  return test.includes('/faults/') ? 'all' : 'release';
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr}`);
}
