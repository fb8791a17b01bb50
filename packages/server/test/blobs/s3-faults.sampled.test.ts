import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { S3BlobStore } from '../../src/blobs/s3-blob-store.ts';
import type { Fault, S3Operation } from '../support/fault-proxy.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';

const MIB = 2 ** 20;
const KEY = 'tenant/blob.zst';
const UNAVAILABLE = { type: 'status', status: 503, code: 'ServiceUnavailable' } as const;
const LOST_RESPONSE = { type: 'cut-response', afterBytes: 0 } as const;
/** A busy test machine must respond within these timeouts. */
const TIMEOUTS = { attempts: 3, connectMs: 1000, idleMs: 700, readMs: 15_000 };

describe('S3 blob store during S3 failures', () => {
  let s3: S3Server;
  let store: S3BlobStore;
  const small = randomBytes(1000);
  const large = randomBytes(12 * MIB);
  before(async () => {
    [process.env.AWS_ACCESS_KEY_ID, process.env.AWS_SECRET_ACCESS_KEY] = S3_SECRETS;
    process.env.AWS_REGION = 'eu-central-1';
    s3 = await startS3Server();
    store = new S3BlobStore(s3.settings, TIMEOUTS);
  });
  afterEach(async () => {
    s3.proxy.rule = () => undefined;
    await store.delete(KEY);
  });
  after(() => s3.stop());

  const write = async (bytes: Buffer) => {
    const writer = await store.create(KEY);
    try {
      await writer.append(bytes);
      await writer.commit();
    } catch (error) {
      s3.proxy.rule = () => undefined;
      await writer.abort();
      throw error;
    }
  };
  /** Injects the fault into all subsequent requests of an operation, or into the given number of requests. */
  const fail = (operation: S3Operation, fault: Fault, times = Number.POSITIVE_INFINITY) => {
    let remaining = times;
    s3.proxy.rule = (request) => (request.operation === operation && remaining-- > 0 ? fault : undefined);
  };
  const assertNothingLeft = async () => {
    assert.deepEqual([await s3.objects(), await s3.openUploads()], [[], []]);
  };

  const written: readonly [name: string, operation: S3Operation, fault: Fault, bytes: Buffer][] = [
    ['a 503 for a small blob', 'put', UNAVAILABLE, small],
    ['a 503 at the start of a multipart upload', 'create', UNAVAILABLE, large],
    ['a 503 for a part', 'part', UNAVAILABLE, large],
    ['a 503 for CompleteMultipartUpload', 'complete', UNAVAILABLE, large],
    [
      'a connection that closes in the middle of a part',
      'part',
      { type: 'cut-request', afterBytes: MIB },
      large,
    ],
    ['a lost response to a part', 'part', LOST_RESPONSE, large],
    ['a lost response to a small blob', 'put', LOST_RESPONSE, small],
    ['a lost response to CompleteMultipartUpload', 'complete', LOST_RESPONSE, large],
    ['a server that does not respond', 'part', { type: 'silence' }, large],
    [
      'a server that does not support conditional writes',
      'put',
      { type: 'status', status: 501, code: 'NotImplemented' },
      small,
    ],
    ['a slow response', 'part', { type: 'delay', ms: 250 }, large],
  ];
  for (const [name, operation, fault, bytes] of written) {
    it(`writes a blob despite ${name}`, async () => {
      const before = s3.proxy.requests.length;
      fail(operation, fault, 1);
      await write(bytes);
      assert.ok((await store.read(KEY, 0, bytes.length)).equals(bytes));
      await store.delete(KEY);
      await assertNothingLeft();
      const requests = s3.proxy.requests.slice(before).filter((request) => request.operation === operation);
      assert.ok(requests.length > 1 || fault.type === 'delay', 'the fault was not injected');
    });
  }

  const failing: readonly [operation: S3Operation, bytes: Buffer, action: string][] = [
    ['put', small, 'complete'],
    ['create', large, 'begin'],
    ['part', large, 'upload part 1 of'],
    ['complete', large, 'complete'],
  ];
  for (const [operation, bytes, action] of failing) {
    itInWholeRun(`fails a blob write after 3 attempts when S3 fails every ${operation} request`, async () => {
      for (const fault of [UNAVAILABLE, { type: 'silence' }] as const) {
        fail(operation, fault);
        const before = s3.proxy.requests.length;
        await assert.rejects(write(bytes), (error: unknown) => {
          assert.ok(error instanceof Error);
          assert.ok(
            error.message.includes(`could not ${action} the blob some/where/${KEY}: `),
            error.message,
          );
          assert.match(
            error.message,
            fault === UNAVAILABLE ? /ServiceUnavailable.*HTTP 503/ : /TimeoutError: .*700 ms/,
          );
          for (const secret of S3_SECRETS) assert.ok(!inspect(error, { depth: 9 }).includes(secret));
          return true;
        });
        const requests = s3.proxy.requests.slice(before).filter((request) => request.operation === operation);
        assert.equal(requests.length, TIMEOUTS.attempts);
        await assertNothingLeft();
      }
    });
  }

  it('removes a stored blob when the write fails after a lost response', async () => {
    for (const [operation, bytes] of [
      ['put', small],
      ['complete', large],
    ] as const) {
      s3.proxy.rule = (request) =>
        request.operation === operation && request.headers['amz-sdk-request']?.includes('attempt=1')
          ? LOST_RESPONSE
          : request.operation === operation || request.operation === 'head'
            ? UNAVAILABLE
            : undefined;
      await assert.rejects(write(bytes), /could not/);
      await assertNothingLeft();
    }
  });

  it('reports that aborting a multipart upload failed, and aborts the upload on the next call', async () => {
    s3.proxy.rule = ({ operation }) => (operation === 'abort' ? UNAVAILABLE : undefined);
    const writer = await store.create(KEY);
    await writer.append(large);
    await assert.rejects(
      writer.abort(),
      /could not abort the blob some\/where\/tenant\/blob.zst: ServiceUnavailable/,
    );
    s3.proxy.rule = () => undefined;
    await writer.abort();
    await assertNothingLeft();
  });

  const read: readonly [name: string, fault: Fault, times: number][] = [
    ['a 503', UNAVAILABLE, 2],
    ['a truncated response', { type: 'cut-response', afterBytes: 5 * MIB }, 2],
    ['a lost response', LOST_RESPONSE, 2],
    ['a server that does not respond', { type: 'silence' }, 2],
    ['a slow response', { type: 'delay', ms: 250 }, 1],
  ];
  itInWholeRun('reads a blob despite transient S3 faults and fails if the faults persist', async () => {
    await write(large);
    for (const [name, fault, times] of read) {
      fail('get', fault, times);
      assert.ok((await store.read(KEY, 10, 11 * MIB)).equals(large.subarray(10, 10 + 11 * MIB)), name);
      if (fault.type === 'delay') continue;
      // The response is truncated early, because a read that makes enough progress per attempt eventually succeeds.
      fail('get', fault.type === 'cut-response' ? { ...fault, afterBytes: 1000 } : fault);
      const before = s3.proxy.requests.length;
      await assert.rejects(
        store.read(KEY, 10, 11 * MIB),
        (error: Error) => /^could not read .*some\/where\/tenant\/blob.zst/.test(error.message),
        name,
      );
      assert.ok(s3.proxy.requests.length - before <= TIMEOUTS.attempts ** 2, name);
      s3.proxy.rule = () => undefined;
    }
  });

  it('rejects an S3 response that does not match the requested byte range', async () => {
    await write(small);
    await assert.rejects(
      store.read(KEY, 900, 101),
      /bytes 900 to 1001 of .* were requested, .* bytes 900-999\/1000/,
    );
    await assert.rejects(store.read(KEY, 1000, 1), /ends before byte 1000/);
    fail('get', { type: 'drop-header', name: 'range' });
    await assert.rejects(store.read(KEY, 900, 100), /does not support ranges/);
  });

  it('aborts a stalled S3 read when the total read timeout expires', async () => {
    await write(small);
    const storeWithShortTimeout = new S3BlobStore(s3.settings, { ...TIMEOUTS, idleMs: 60_000, readMs: 400 });
    fail('get', { type: 'silence' });
    const start = performance.now();
    await assert.rejects(
      storeWithShortTimeout.read(KEY, 0, 10),
      /could not read bytes 0 to 10 .* within 400 ms/,
    );
    assert.ok(performance.now() - start < 3000);
  });
});
