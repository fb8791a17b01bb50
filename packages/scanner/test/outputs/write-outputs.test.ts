import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ScannerError } from '../../src/lib/errors.ts';
import { writeAtomically } from '../../src/outputs/write-atomically.ts';
import { defaultStem, OUTPUT_FORMATS, writeOutputs } from '../../src/outputs/write-outputs.ts';
import { compliance, finding, scan, variedFindings } from './support/findings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-outputs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const request = (overrides: Partial<Parameters<typeof writeOutputs>[0]> = {}) => ({
  formats: OUTPUT_FORMATS,
  directory: join(folder, 'output'),
  stem: 'nightly',
  findings: variedFindings(),
  scan: scan(),
  ...overrides,
});

const unwritable =
  (...mentions: readonly (string | RegExp)[]) =>
  (error: unknown) => {
    assert.ok(error instanceof ScannerError, String(error));
    assert.deepEqual([error.code, error.exitCode], ['output_unwritable', 1]);
    assert.doesNotMatch(error.message, /\n/);
    for (const mention of mentions) assert.ok(error.message.match(mention), error.message);
    return true;
  };

describe('writing output files', () => {
  it('creates the output folder and one file per format, and returns their paths', async () => {
    const written = await writeOutputs(request({ compliance: compliance() }));
    const directory = join(folder, 'output');
    assert.deepEqual(written, [
      { format: 'csv', path: join(directory, 'nightly.csv') },
      { format: 'json-ocsf', path: join(directory, 'nightly.ocsf.json') },
      { format: 'html', path: join(directory, 'nightly.html') },
      { format: 'sarif', path: join(directory, 'nightly.sarif') },
      { format: 'junit', path: join(directory, 'nightly.junit.xml') },
      { format: 'compliance', path: join(directory, 'compliance', 'nightly_directory_idaas_stig_v1r2.csv') },
      { format: 'compliance', path: join(directory, 'compliance', 'nightly_cis_controls_8.1.csv') },
    ]);
    const starts = await Promise.all(
      written.map(async ({ path }) => (await readFile(path, 'utf8')).slice(0, 10)),
    );
    assert.deepEqual(starts, [
      'TIMESTAMP;',
      '[\n{"messag',
      '<!doctype ',
      '{\n "$schem',
      '<?xml vers',
      'PROVIDER;D',
      'PROVIDER;D',
    ]);
    assert.deepEqual((await readdir(directory)).sort(), [
      'compliance',
      'nightly.csv',
      'nightly.html',
      'nightly.junit.xml',
      'nightly.ocsf.json',
      'nightly.sarif',
    ]);
  });

  it('writes each requested format once and no other formats', async () => {
    const written = await writeOutputs(request({ formats: ['html', 'html'] }));
    assert.equal(written.length, 1);
    assert.deepEqual(await readdir(join(folder, 'output')), ['nightly.html']);
  });

  it('replaces the output files of an earlier scan', async () => {
    await writeOutputs(request());
    await writeOutputs(request({ findings: [finding()] }));
    const text = await readFile(join(folder, 'output', 'nightly.ocsf.json'), 'utf8');
    const records: unknown = JSON.parse(text);
    assert.ok(Array.isArray(records));
    assert.equal(records.length, 1);
  });

  it('writes an empty JSON array to the OCSF file if there are no findings', async () => {
    await writeOutputs(request({ findings: [], formats: ['json-ocsf'] }));
    assert.deepEqual(JSON.parse(await readFile(join(folder, 'output', 'nightly.ocsf.json'), 'utf8')), []);
  });

  it('reports an output folder that is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await assert.rejects(
      writeOutputs(request({ directory: file })),
      unwritable(file, /is a file, not a folder/),
    );
    const below = join(file, 'output');
    await assert.rejects(
      writeOutputs(request({ directory: below })),
      unwritable(below, /is a file, not a folder/),
    );
    assert.equal(await readFile(file, 'utf8'), '');
  });

  it('rejects an output file name that contains a path to another folder', async () => {
    for (const stem of ['../up', 'a/b', '/etc/x', '', 'a\\b', 'nul\0']) {
      await assert.rejects(writeOutputs(request({ stem })), (error: unknown) => {
        assert.ok(error instanceof ScannerError, String(error));
        assert.deepEqual([error.code, error.exitCode], ['output_name_invalid', 2]);
        return true;
      });
    }
    assert.deepEqual(await readdir(folder), []);
  });

  it('names output files after the organization and the UTC time of the scan', () => {
    assert.equal(defaultStem(scan()), 'sluice-output-acme.directory.com-20261121085337');
    assert.equal(
      defaultStem(scan({ orgDomain: 'localhost:8080' })),
      'sluice-output-localhost_8080-20261121085337',
    );
  });
});

describe('writing a file atomically', () => {
  it('keeps the old file and removes the temporary file if the replacement fails', async () => {
    const taken = join(folder, 'report.csv');
    await mkdir(taken);
    await assert.rejects(
      writeAtomically(taken, 'text'),
      unwritable(folder, 'report.csv', /folder with that name exists/),
    );
    assert.deepEqual(await readdir(folder), ['report.csv']);
  });

  it('reports an output file in a folder that does not exist', async () => {
    const path = join(folder, 'missing', 'report.csv');
    await assert.rejects(
      writeAtomically(path, 'text'),
      unwritable(join(folder, 'missing'), /does not exist/),
    );
  });

  it('reports a file name that is too long', async () => {
    await assert.rejects(writeAtomically(join(folder, 'x'.repeat(300)), 'text'), unwritable(/too long/));
    assert.deepEqual(await readdir(folder), []);
  });

  it('replaces a symbolic link, not the file that it points to', async () => {
    const behind = join(folder, 'behind');
    await writeFile(behind, 'old');
    await symlink(behind, join(folder, 'link'));
    await writeAtomically(join(folder, 'link'), 'new');
    assert.deepEqual(
      [await readFile(behind, 'utf8'), await readFile(join(folder, 'link'), 'utf8')],
      ['old', 'new'],
    );
  });

  it('keeps the old file and leaves no partial file when the disk is full', async () => {
    await writeFile(join(folder, 'report.csv'), 'old');
    // A file size limit simulates a full disk, because it also interrupts a write partway.
    const { stdout, stderr } = writeInShell(`ulimit -f 8; exec "$@"`, {});
    assert.match(stdout, /^output_unwritable .*report\.csv .*exceeds a size limit/, stderr);
    assert.deepEqual(await readdir(folder), ['report.csv']);
    assert.equal(await readFile(join(folder, 'report.csv'), 'utf8'), 'old');
  });

  it('reports missing write permissions', { skip: process.getuid === undefined }, async () => {
    await chmod(folder, 0o555);
    // Root has all permissions, so the script runs as another user if the test was started as root.
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { stdout, stderr } = writeInShell('exec "$@"', nobody);
    assert.match(stdout, /^output_unwritable .*report\.csv .*permission denied/, stderr);
    assert.deepEqual(await readdir(folder), []);
  });

  /** Writes 1 MB to `report.csv` in a separate process, which prints `written`, or the code and message of the error. */
  function writeInShell(script: string, user: { readonly uid?: number; readonly gid?: number }) {
    const module = fileURLToPath(import.meta.resolve('../../src/outputs/write-atomically.ts'));
    const program = `
      import { writeAtomically } from ${JSON.stringify(module)};
      process.on('SIGXFSZ', () => {});
      await writeAtomically(process.argv[1], 'x'.repeat(1_000_000)).then(
        () => console.log('written'),
        ({ code, message }) => console.log(code, message),
      );`;
    return spawnSync(
      'sh',
      [
        '-c',
        script,
        'sh',
        process.execPath,
        '--input-type=module',
        '-e',
        program,
        '--',
        join(folder, 'report.csv'),
      ],
      { encoding: 'utf8', cwd: '/', ...user },
    );
  }
});
