import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Behavior, page, respond } from './support/behaviors.ts';
import { limits } from './support/documents.ts';
import { CONTENT, failureOf, makeFiles, runPush } from './support/run-push.ts';
import { startService } from './support/service.ts';

/** The content spans several chunks, so that it is compressed as a stream. */
const ONE_MB_CONTENT = JSON.stringify(
  Array.from({ length: 20_000 }, () => ({ class_uid: 2004, message: randomBytes(30).toString('base64') })),
);

const LIMITS_RESPONSES: readonly [
  description: string,
  behavior: Behavior,
  encoding: 'identity' | 'gzip' | 'zstd',
][] = [
  ['accepts zstd and gzip', limits({ encodings: ['identity', 'gzip', 'zstd'] }), 'zstd'],
  ['accepts only gzip', limits({ encodings: ['gzip'] }), 'gzip'],
  ['accepts no supported encoding', limits({ encodings: ['br'] }), 'identity'],
  ['does not report its limits', respond(404), 'identity'],
  ['reports its limits in an unexpected format', respond(200, { limits: {} }), 'identity'],
  ['responds with an HTML page', page(200), 'identity'],
];

describe('content encoding of a push', { concurrency: 2 }, () => {
  for (const [description, behavior, encoding] of LIMITS_RESPONSES)
    it(`sends a file as ${encoding} to a service that ${description}`, async (context) => {
      const service = await startService(context, { limits: [behavior] });
      const cwd = await makeFiles(context, { 'a.ocsf.json': ONE_MB_CONTENT });
      assert.equal((await runPush(['a.ocsf.json'], { cwd, service })).code, 0);
      const [upload] = service.uploads();
      assert.ok(upload?.form?.file !== undefined);
      assert.equal(upload.form.file.encoding, encoding);
      assert.equal(upload.form.file.content.toString(), ONE_MB_CONTENT);
      const { 'content-length': length, 'transfer-encoding': transfer } = upload.headers;
      if (encoding === 'identity')
        assert.deepEqual([length, transfer], [String(upload.form.raw.length), undefined]);
      else assert.deepEqual([length, transfer], [undefined, 'chunked']);
    });

  for (const [name, compressed] of [
    ['a.ocsf.json.gz', gzipSync(CONTENT)],
    ['a.ocsf.json.zst', zstdCompressSync(CONTENT)],
  ] as const)
    it(`sends a compressed file unchanged: ${name}`, async (context) => {
      // The decompressed size exceeds the limit, but only the service can detect that.
      const behavior = limits({ encodings: ['gzip', 'zstd'], inflated_max_bytes: compressed.length - 1 });
      const service = await startService(context, { limits: [behavior] });
      const cwd = await makeFiles(context, { [name]: compressed });
      assert.equal((await runPush([name], { cwd, service })).code, 0);
      const [upload] = service.uploads();
      assert.ok(upload?.form?.file !== undefined);
      assert.ok(upload.form.file.sent.equals(compressed));
      assert.equal(upload.form.file.name, name);
      assert.equal(upload.headers['content-length'], String(upload.form.raw.length));
    });

  for (const [description, values] of [
    ['decompressed', { encodings: ['zstd'], inflated_max_bytes: CONTENT.length - 1 }],
    ['as transmitted', { encodings: [], upload_max_bytes: CONTENT.length - 1 }],
  ] as const)
    it(`does not send a file that exceeds the service's size limit, ${description}`, async (context) => {
      const service = await startService(context, { limits: [limits(values)] });
      const cwd = await makeFiles(context);
      const { code, message } = failureOf(await runPush(['a.ocsf.json'], { cwd, service }));
      assert.equal(code, 'file_too_large');
      const [bytes, max] = [CONTENT.length, CONTENT.length - 1];
      assert.equal(
        message,
        `a.ocsf.json has ${bytes} bytes, but the service accepts at most ${max}; split the file`,
      );
      assert.equal(service.uploads().length, 0);
    });

  it('requests the service limits once for all files', async (context) => {
    const service = await startService(context, { limits: [limits({ encodings: ['gzip'] })] });
    const cwd = await makeFiles(context, { 'a.ocsf.json': CONTENT, 'b.ocsf.json': CONTENT });
    assert.equal((await runPush(['a.ocsf.json', 'b.ocsf.json'], { cwd, service })).code, 0);
    assert.deepEqual([service.requests.length, service.uploads().length], [3, 2]);
  });
});
