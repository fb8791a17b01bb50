// Mutation tests: breaks the code in one place after another and checks that a test fails for each.
// npm run test:mutants [-- WORD...]; with words, only the mutants whose description or file contains one of them.
// Works on the last commit, in a temporary clone.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MUTANTS } from './mutants.js';

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(
  ({ breaks, file }) =>
    words.length === 0 || words.some((word) => breaks.includes(word) || file.includes(word)),
);
const clone = await mkdtemp(path.join(tmpdir(), 'sluice-mutants-'));
try {
  // PostgreSQL, which runs as another user where the tests run as root, must be able to read its binaries there.
  await chmod(clone, 0o755);
  run('git', ['clone', '--quiet', '--shared', path.resolve(import.meta.dirname, '../..'), clone], '.');
  run('npm', ['ci', '--silent', '--no-audit', '--no-fund'], clone);
  for (const mutant of chosen) assertFits(mutant);
  const survivors = [];
  for (const mutant of chosen) {
    const { name, seconds } = await tryOut(mutant);
    if (name === undefined) survivors.push(mutant);
    console.log(
      `${name === undefined ? 'SURVIVED' : 'caught  '} ${mutant.breaks} (${mutant.file}): ${name ?? mutant.tests.join(', ')}, ${seconds} s`,
    );
  }
  console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants were caught`);
  if (survivors.length > 0) process.exitCode = 1;
} finally {
  // Processes of a test run that failed may still be writing there.
  await rm(clone, { recursive: true, force: true, maxRetries: 10 });
}

/** Throws for a mutant whose code or tests have moved, before any time is spent. */
function assertFits({ package: folder, file, find, tests }) {
  const text = readFileSync(path.join(clone, file), 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${file} must contain '${find}' exactly once`);
  for (const test of tests)
    if (filesOf(folder, test).length === 0) throw new Error(`${folder} has no test file ${test}`);
}

function filesOf(folder, test) {
  return globSync(`${folder}/test/**/${test}{,.slow,.sampled,.release}.test.ts`, { cwd: clone }).sort();
}

/** The first test file that fails, or `undefined` if all pass. */
async function tryOut({ package: folder, file, find, replace, tests }) {
  const place = path.join(clone, file);
  const text = await readFile(place, 'utf8');
  const files = tests.flatMap((test) => filesOf(folder, test));
  const from = performance.now();
  await writeFile(
    place,
    text.replace(find, () => replace),
  );
  try {
    if (folder === 'packages/console') run('npm', ['run', '--silent', 'prepare'], clone);
    const name = files.find((test) => !passes(test));
    return { name, seconds: Math.round((performance.now() - from) / 1000) };
  } finally {
    await writeFile(place, text);
  }
}

/** Throws where no test has run: a mutant is caught by a test that fails, not by a run that does not start. */
function passes(test) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run-tests.js', 'all', test], {
    cwd: clone,
    encoding: 'utf8',
  });
  if (!/^ℹ pass \d+$/m.test(stdout)) throw new Error(`no tests ran: ${stdout}${stderr}`);
  return status === 0;
}

function run(command, words, cwd) {
  const { status, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words[0]} failed: ${stderr}`);
}
