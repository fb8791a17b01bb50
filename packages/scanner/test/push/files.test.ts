import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { refuse } from './support/behaviors.ts';
import { accepted } from './support/documents.ts';
import { CONTENT, makeFiles, runPush } from './support/run-push.ts';
import { startService, type TestService } from './support/service.ts';

const names = (service: TestService) => service.uploads().map(({ form }) => form?.file?.name);

describe('files to push', { concurrency: 2 }, () => {
  it('pushes files one after another in the given order', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context, { 'b.json': CONTENT, 'a.json': CONTENT });
    const { code, stdout } = await runPush(['b.json', path.join(cwd, 'a.json')], { cwd, service });
    assert.equal(code, 0);
    assert.deepEqual(names(service), ['b.json', 'a.json']);
    assert.match(stdout, /^b\.json: pushed, .*\n(.*\n)*\/.*\/a\.json: pushed, /);
  });

  it('finds files by glob pattern, even in other folders', async (context) => {
    const service = await startService(context);
    const files = { 'b.ocsf.json': '[1]', 'a.ocsf.json': '[2]', 'c.csv': '', 'deep/d.ocsf.json': '[3]' };
    const cwd = await makeFiles(context, files);
    assert.equal((await runPush(['*.ocsf.json', `${cwd}/**/d.*`], { cwd, service })).code, 0);
    assert.deepEqual(names(service), ['a.ocsf.json', 'b.ocsf.json', 'd.ocsf.json']);
  });

  it('pushes files whose names look like glob patterns', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context, { 'scan[1].json': CONTENT, 'scan1.json': CONTENT });
    assert.equal((await runPush(['scan[1].json'], { cwd, service })).code, 0);
    assert.deepEqual(names(service), ['scan[1].json']);
  });

  it('pushes each file once, even if it is specified several times', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context);
    const args = ['a.ocsf.json', 'a.ocsf.json', './a.ocsf.json', path.join(cwd, 'a.ocsf.json'), '*.json'];
    assert.equal((await runPush(args, { cwd, service })).code, 0);
    assert.equal(service.uploads().length, 1);
  });

  for (const [description, arg, expectedMessage] of [
    ['a missing file', 'missing.json', /^scanner: file missing\.json does not exist \[no_such_file\]\n$/],
    ['a pattern without a match', '*.xml', /^scanner: no file matches \*\.xml \[no_such_file\]\n$/],
    [
      'a folder',
      'folder',
      /^scanner: folder is a folder; specify its files, such as 'folder\/\*\.ocsf\.json' /,
    ],
  ] as const)
    it(`pushes no files if an argument is ${description}`, async (context) => {
      const service = await startService(context);
      const cwd = await makeFiles(context, { 'a.json': CONTENT, 'folder/b.txt': '' });
      const { code, stdout, stderr } = await runPush(['a.json', arg], { cwd, service });
      assert.deepEqual({ code, stdout, requests: service.requests }, { code: 2, stdout: '', requests: [] });
      assert.match(stderr, expectedMessage);
    });

  it('pushes the remaining files if one file is empty and another is too large', async (context) => {
    const service = await startService(context, { uploads: [refuse(413, 'At most 1 MB.'), accepted] });
    const cwd = await makeFiles(context, { 'a.json': CONTENT, 'b.json': '', 'c.json': CONTENT });
    const { code, stdout, stderr } = await runPush(['a.json', 'b.json', 'c.json'], { cwd, service });
    assert.equal(code, 1);
    assert.match(stderr, /^a\.json: Push failed: .*: At most 1 MB \[upload_too_large\]\n/);
    assert.match(stderr, /\nb\.json: Push failed: b\.json is empty \[file_empty\]\n$/);
    assert.match(stdout, /^c\.json: pushed/);
    assert.deepEqual(names(service), ['a.json', 'c.json']);
  });

  it('stops after a service or API key error and reports the files that were not pushed', async (context) => {
    const service = await startService(context, { uploads: [accepted, refuse(401, '')] });
    const cwd = await makeFiles(context, {
      'a.json': '[1]',
      'b.json': '[2]',
      'c.json': '[3]',
      'd.json': '[4]',
    });
    const { code, stdout, stderr } = await runPush(['*.json'], { cwd, service });
    assert.equal(code, 1);
    assert.match(stdout, /^a\.json: pushed/);
    assert.match(
      stderr,
      /^b\.json: Push failed: .* \[unauthorized\]\nSkipped after this error: c\.json, d\.json\n$/,
    );
    assert.equal(service.uploads().length, 2);
  });

  it('rejects --idempotency-key with several files', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context, { 'a.json': '[1]', 'b.json': '[2]' });
    const { code, stderr } = await runPush(['--idempotency-key', 'k', '*.json'], { cwd, service });
    assert.equal(code, 2);
    assert.match(stderr, /^scanner: --idempotency-key can be used with only one file \[usage\]\n$/);
    assert.equal(service.requests.length, 0);
  });
});
