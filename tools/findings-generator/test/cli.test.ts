import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_OPTIONS } from '../src/index.ts';
import { fileText } from './read-records.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

function run(...args: string[]) {
  return spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

describe('findings-generator CLI', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'findings-generator-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('writes generated findings to standard output', () => {
    const args =
      '--records 700 --seed 5 --accounts 3 --checks 20 --resources 30 --fail-share 0.5 --invalid-share .1';
    const more = '--muted-share 0.2 --time 1790000000 --provider gcp --indent 2 --scan-id nightly';
    const { stdout, stderr, status } = run(...args.split(' '), ...more.split(' '));
    const expected = fileText({
      records: 700,
      seed: 5,
      accounts: 3,
      checks: 20,
      resources: 30,
      failShare: 0.5,
      invalidShare: 0.1,
      mutedShare: 0.2,
      time: 1_790_000_000,
      provider: 'gcp',
      indent: 2,
      scanId: 'nightly',
    });
    assert.deepEqual({ stderr, status }, { stderr: '', status: 0 });
    assert(stdout === expected);
  });

  it('writes only to the file given by --output', async () => {
    const file = join(folder, 'out.ocsf.json');
    const { stdout, stderr, status } = run('--records', '2000', '--output', file);
    assert.deepEqual({ stdout, stderr, status }, { stdout: '', stderr: '', status: 0 });
    assert((await readFile(file, 'utf8')) === fileText({ records: 2000 }));
  });

  it('lists every option and its default for --help', () => {
    const { stdout, status } = run('--help');
    assert.equal(status, 0);
    for (const [name, value] of Object.entries(DEFAULT_OPTIONS)) {
      const flag = name.replace('Share', '-share');
      assert.match(stdout, new RegExp(`--${flag} .*\\(default: ${value}\\)`));
    }
    assert.match(stdout, /--output FILE .*standard output/);
  });

  it('reports an invalid option on one line and exits with code 2', () => {
    const invalid = [
      ['--records', 'many'],
      ['--records', '1.5'],
      ['--records='],
      ['--records'],
      ['--seed', '0x10'],
      ['--fail-share', '1.5'],
      ['--fail-share', '-1'],
      ['--accounts', '0'],
      ['--time', '1785542400000'],
      ['--provider', 'heroku'],
      ['--output='],
      ['--bogus', '1'],
    ];
    for (const args of invalid) {
      const { stdout, stderr, status } = run(...args);
      assert.equal(status, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /^findings-generator: [^\n]+\n$/);
      assert(stderr.includes(String(args[0]).replace(/=$/, '')), stderr);
    }
    assert.equal(run('extra').status, 2);
  });

  it('reports a write error on one line and exits with code 1', () => {
    const { stderr, status } = run('--output', join(folder, 'missing', 'out.json'));
    assert.equal(status, 1);
    assert.match(stderr, /^findings-generator: ENOENT[^\n]+\n$/);
  });

  it('prints a note if there are more records than distinct findings', () => {
    const { stderr, status } = run('--records', '5', '--accounts', '1', '--checks', '1', '--resources', '2');
    assert.equal(status, 0);
    assert.match(stderr, /^note: 5 records cover only 2 distinct findings[^\n]+\n$/);
  });

  it('exits without an error when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [CLI, '--records', '1000000'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code, signal] = await once(child, 'close');
    assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' });
  });
});
