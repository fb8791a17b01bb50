import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { saveStandardInput } from '../../src/push/input-files.ts';
import { refuse } from './support/behaviors.ts';
import { jobIs } from './support/documents.ts';
import { CONTENT, makeFiles } from './support/run-push.ts';
import { runWithInput } from './support/run-with-input.ts';
import { startService } from './support/service.ts';

describe('standard input', { concurrency: 2 }, () => {
  it('pushes standard input and removes its temporary file', async (context) => {
    const service = await startService(context);
    const temporary = await makeFiles(context, {});
    const { code, stdout, stderr } = await runWithInput(['-'], { input: CONTENT, service, temporary });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^standard input: pushed, 3 records\n/);
    const file = service.uploads()[0]?.form?.file;
    assert.equal(file?.content.toString(), CONTENT);
    assert.equal(file.name, 'standard-input.ocsf.json');
    assert.deepEqual(await readdir(temporary), []);
  });

  it('saves standard input to a file after a failed push and prints its path', async (context) => {
    const service = await startService(context, { uploads: [refuse(402, '')] });
    const temporary = await makeFiles(context, {});
    const flags = [
      '--provider',
      'a b',
      '--account',
      'c',
      '--label',
      'd=e',
      '--coverage',
      'checks',
      '--dry-run',
    ];
    const { code, stdout, stderr } = await runWithInput([...flags, '--idempotency-key', 'f', '-'], {
      input: CONTENT,
      service,
      temporary,
    });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    const place = /^Standard input was saved to (?<kept>.+)$/m.exec(stderr)?.groups?.kept;
    assert.ok(place !== undefined, stderr);
    assert.ok(place.startsWith(temporary));
    assert.equal(await readFile(place, 'utf8'), CONTENT);
    const command = `scanner push --dry-run --coverage checks --provider 'a b' --account c --label d=e --idempotency-key f ${place}`;
    assert.ok(stderr.includes(`\nTo push it again, use ${command}\n`), stderr);
  });

  it('removes the temporary file for standard input after an accepted push, even if the records are invalid', async (context) => {
    const service = await startService(context, { jobs: [jobIs('failed', { processed: 3, invalid: 1 })] });
    const temporary = await makeFiles(context, {});
    assert.equal((await runWithInput(['--wait', '-'], { input: CONTENT, service, temporary })).code, 3);
    assert.deepEqual(await readdir(temporary), []);
  });

  it('reads standard input only once if it is pushed along with other files', async (context) => {
    const service = await startService(context);
    const folder = await makeFiles(context, { 'a.ocsf.json': '[]', 'temporary/keep': '' });
    const temporary = path.join(folder, 'temporary');
    const args = [path.join(folder, 'a.ocsf.json'), '-', '-'];
    assert.equal((await runWithInput(args, { input: CONTENT, service, temporary })).code, 0);
    const contents = service.uploads().map(({ form }) => form?.file?.content.toString());
    assert.deepEqual(contents, ['[]', CONTENT]);
  });

  it('reports empty standard input and sends nothing', async (context) => {
    const service = await startService(context);
    const temporary = await makeFiles(context, {});
    const { code, stderr } = await runWithInput(['-'], { input: '', service, temporary });
    assert.equal(code, 1);
    assert.match(stderr, /^standard input: Push failed: standard input is empty \[file_empty\]$/m);
    assert.equal(service.requests.length, 0);
  });

  it('reports in a single line that standard input cannot be saved', async (context) => {
    const service = await startService(context);
    const temporary = path.join(await makeFiles(context, {}), 'missing');
    const { code, stdout, stderr } = await runWithInput(['-'], { input: CONTENT, service, temporary });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(
      stderr,
      /^standard input: Push failed: standard input could not be saved to a file: .*; set TMPDIR to .*\n$/,
    );
    assert.equal(service.requests.length, 0);
  });

  it('keeps nothing of standard input that cannot be read to its end', async (context) => {
    const temporary = await makeFiles(context, {});
    const { TMPDIR } = process.env;
    process.env.TMPDIR = temporary;
    context.after(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    });
    const input = Readable.from(
      (function* () {
        yield '[{';
        throw new Error('the pipe broke');
      })(),
    );
    await assert.rejects(saveStandardInput(input), /could not be saved to a file: the pipe broke/);
    assert.deepEqual(await readdir(temporary), []);
  });
});
