import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import zlib from 'node:zlib';
import { CONTENT, makeFiles, runPush } from './support/run-push.ts';
import { startService } from './support/service.ts';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('idempotency keys for compressed files', { concurrency: 2 }, () => {
  it('sends the same idempotency key for a file and its compressed forms', async (context) => {
    const service = await startService(context);
    const [first, second] = [CONTENT.slice(0, 20), CONTENT.slice(20)];
    const cwd = await makeFiles(context, {
      'a.ocsf.json': CONTENT,
      'a.ocsf.json.gz': zlib.gzipSync(CONTENT),
      'best.ocsf.json.gz': zlib.gzipSync(CONTENT, { level: 9 }),
      'members.ocsf.json.gz': Buffer.concat([zlib.gzipSync(first), zlib.gzipSync(second)]),
      'a.ocsf.json.zst': zlib.zstdCompressSync(CONTENT),
    });
    assert.equal((await runPush(['*'], { cwd, service })).code, 0);
    const keys = service.uploads().map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual(keys, Array(5).fill(sha256(CONTENT)));
  });

  it('derives the idempotency key from the content of a compressed file that is read in many chunks', async (context) => {
    const content = randomBytes(3_000_000);
    const service = await startService(context);
    const cwd = await makeFiles(context, { 'a.ocsf.json.gz': zlib.gzipSync(content) });
    assert.equal((await runPush(['a.ocsf.json.gz'], { cwd, service })).code, 0);
    assert.equal(service.uploads()[0]?.headers['idempotency-key'], sha256(content));
  });
});
