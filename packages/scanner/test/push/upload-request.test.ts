import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { page } from './support/behaviors.ts';
import { accepted } from './support/documents.ts';
import type { Received } from './support/received-request.ts';
import { CONTENT, failureOf, KEY, makeFiles, pushOne, runPush } from './support/run-push.ts';
import { startService, type TestService } from './support/service.ts';

const HASH = createHash('sha256').update(CONTENT).digest('hex');

function onlyUpload(service: TestService): Received {
  const [upload, ...more] = service.uploads();
  assert.ok(upload !== undefined && more.length === 0);
  return upload;
}

const keyOf = (service: TestService) => onlyUpload(service).headers['idempotency-key'];

/** Pushes a file with these flags, and returns the idempotency key and the parts of its upload. */
async function pushWith(context: TestContext, ...flags: string[]) {
  const service = await startService(context);
  const cwd = await makeFiles(context);
  assert.equal((await runPush([...flags, 'a.ocsf.json'], { cwd, service })).code, 0);
  return { key: keyOf(service), parts: onlyUpload(service).form?.parts };
}

describe('upload request', { concurrency: 2 }, () => {
  it('sends the API key, the content hash, and a single part with the file', async (context) => {
    const service = await startService(context);
    assert.equal((await pushOne(context, { service })).code, 0);
    const { path, headers, form } = onlyUpload(service);
    assert.equal(path, '/api/v1/ingestions');
    assert.equal(headers.authorization, `Api-Key ${KEY}`);
    assert.equal(headers.accept, 'application/vnd.api+json');
    assert.equal(headers['idempotency-key'], HASH);
    assert.match(headers['user-agent'] ?? '', /^sluice-scanner\/\d\S* node\/\d/);
    assert.deepEqual(form?.parts, [['file', 'file']]);
    assert.equal(form.file?.name, 'a.ocsf.json');
    assert.equal(form.file.content.toString(), CONTENT);
  });

  it('sends the same upload request on a retry and in another run', async (context) => {
    const service = await startService(context, { uploads: [page(503), accepted] });
    const env = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '1' };
    const cwd = await makeFiles(context, { 'a.ocsf.json': CONTENT, 'renamed.ocsf.json': CONTENT });
    for (const file of ['a.ocsf.json', 'renamed.ocsf.json'])
      assert.equal((await runPush([file], { cwd, service, env })).code, 0);
    const keys = service.uploads().map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual(keys, [HASH, HASH, HASH]);
  });

  it('sends provider and account as form fields before the file, and changes the idempotency key accordingly', async (context) => {
    const cwd = await makeFiles(context);
    const keys = new Set([HASH]);
    for (const [flags, parts] of [
      [['--provider', 'kubernetes'], [['provider', 'kubernetes']]],
      [['--account', 'kubernetes'], [['account', 'kubernetes']]],
      [
        ['--provider', 'kubernetes', '--account', 'Büro "1"'],
        [
          ['provider', 'kubernetes'],
          ['account', 'Büro "1"'],
        ],
      ],
    ] as const) {
      const service = await startService(context);
      assert.equal((await runPush([...flags, 'a.ocsf.json'], { cwd, service })).code, 0);
      assert.deepEqual(onlyUpload(service).form?.parts, [...parts, ['file', 'file']]);
      const key = keyOf(service);
      assert.ok(typeof key === 'string' && /^[0-9a-f]{64}$/.test(key));
      keys.add(key);
    }
    assert.equal(keys.size, 4);
  });

  it('sends labels as form fields in any order with the same idempotency key, which other labels change', async (context) => {
    const pushed = (...flags: string[]) => pushWith(context, ...flags);
    const [main, url] = ['branch=main', 'url=https://ci.example.com/?a=b,c'];
    const first = await pushed('--label', url, '--label', main, '--account', 'a');
    assert.deepEqual(first.parts, [
      ['account', 'a'],
      ['label', main],
      ['label', url],
      ['file', 'file'],
    ]);
    assert.equal((await pushed('--label', main, '--account', 'a', '--label', url)).key, first.key);
    const others = [['--label', main], ['--label', 'branch=other'], ['--account', 'a'], []];
    const keys = await Promise.all(others.map(async (flags) => (await pushed(...flags)).key));
    assert.equal(new Set([first.key, ...keys]).size, 5);
    assert.equal(keys.at(-1), HASH);
  });

  it('sends no coverage by default and with --coverage partial, and keeps the idempotency key', async (context) => {
    for (const flags of [[], ['--coverage', 'partial']]) {
      const { key, parts } = await pushWith(context, ...flags);
      assert.deepEqual(parts, [['file', 'file']]);
      assert.equal(key, HASH);
    }
    const labelled = await pushWith(context, '--label', 'branch=main', '--coverage', 'partial');
    assert.equal(labelled.key, (await pushWith(context, '--label', 'branch=main')).key);
  });

  it('sends the coverage as a form field after the labels, and changes the idempotency key accordingly', async (context) => {
    const keys = new Set<unknown>([HASH]);
    for (const others of [[], ['--account', 'a'], ['--label', 'branch=main']]) {
      keys.add((await pushWith(context, ...others)).key);
      for (const coverage of ['checks', 'account'])
        keys.add((await pushWith(context, ...others, '--coverage', coverage)).key);
    }
    assert.equal(keys.size, 9);
    const flags = ['--coverage', 'ACCOUNT', '--label', 'branch=main', '--account', 'a'];
    const { parts } = await pushWith(context, ...flags);
    assert.deepEqual(parts, [
      ['account', 'a'],
      ['label', 'branch=main'],
      ['coverage', 'account'],
      ['file', 'file'],
    ]);
  });

  it('sends the idempotency keys of earlier releases for uploads without coverage', async (context) => {
    const hash = (texts: unknown) =>
      createHash('sha256').update(HASH).update(JSON.stringify(texts)).digest('hex');
    const [account, label] = [
      ['--account', 'a'],
      ['--label', 'branch=main'],
    ];
    assert.equal((await pushWith(context, ...account)).key, hash({ account: 'a' }));
    assert.equal((await pushWith(context, ...label)).key, hash([{}, ['branch=main']]));
    assert.equal(
      (await pushWith(context, ...label, ...account)).key,
      hash([{ account: 'a' }, ['branch=main']]),
    );
  });

  it('sends the idempotency key from --idempotency-key', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context);
    const args = ['--idempotency-key', 'night-of-the-7th', 'a.ocsf.json'];
    assert.equal((await runPush(args, { cwd, service })).code, 0);
    assert.equal(keyOf(service), 'night-of-the-7th');
  });

  for (const key of ['two\nlines', 'é', ' ', ''])
    it(`rejects an idempotency key that is not a valid header value: ${JSON.stringify(key)}`, async (context) => {
      const service = await startService(context);
      const cwd = await makeFiles(context);
      const { code, message } = failureOf(
        await runPush(['--idempotency-key', key, 'a.ocsf.json'], { cwd, service }),
      );
      assert.equal(code, 'invalid_setting');
      assert.match(message, /invalid idempotency key; use /);
      assert.equal(service.uploads().length, 0);
    });

  it('sends the file name unchanged, including quotes and non-ASCII letters', async (context) => {
    const name = 'größe "日本" 100%.ocsf.json';
    const service = await startService(context);
    const cwd = await makeFiles(context, { [name]: CONTENT });
    assert.equal((await runPush([name], { cwd, service })).code, 0);
    assert.equal(onlyUpload(service).form?.file?.name, name);
  });

  it("does not send the name of a file's folder", async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context, { 'output/deep/a.ocsf.json': CONTENT });
    assert.equal((await runPush(['output/deep/a.ocsf.json'], { cwd, service })).code, 0);
    assert.equal(onlyUpload(service).form?.file?.name, 'a.ocsf.json');
  });
});
