import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { S3_SECRETS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Environment } from '../support/service.ts';

describe('starting with an unusable blob store', () => {
  const sandbox = createSandbox();
  let s3: S3Server;
  let dataDir: string;
  before(async () => {
    s3 = await startS3Server();
    dataDir = await sandbox.newDataDir();
  });
  after(async () => {
    await sandbox.clear();
    await s3.stop();
  });

  /** Returns the one-line error that `sluice serve` prints. */
  const errorLine = async (own: Environment): Promise<string> => {
    const env = { ...s3.environment, AWS_EC2_METADATA_DISABLED: 'true', HOME: '/nowhere', ...own };
    const { code, stdout, stderr } = await sandbox.sluice(dataDir, ['serve'], env);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^sluice: [^\n]+\n$/);
    for (const secret of S3_SECRETS) assert.ok(!stderr.includes(secret));
    return stderr;
  };

  const cases: readonly [name: string, own: Environment, message: RegExp][] = [
    [
      'the bucket does not exist',
      { SLUICE_BLOB_STORE: 's3://elsewhere' },
      /the bucket elsewhere does not exist/,
    ],
    [
      'the S3 endpoint refuses connections',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      /ECONNREFUSED.*AWS_ENDPOINT_URL/,
    ],
    ['S3 credentials are missing', { AWS_ACCESS_KEY_ID: '' }, /no S3 credentials were found/],
    ['AWS_REGION is not set', { AWS_REGION: '' }, /AWS_REGION is missing/],
    [
      'SLUICE_BLOB_STORE has no bucket name',
      { SLUICE_BLOB_STORE: 's3:///prefix' },
      /SLUICE_BLOB_STORE must contain a bucket name/,
    ],
    [
      'SLUICE_BLOB_STORE contains a password',
      { SLUICE_BLOB_STORE: `s3://user:${S3_SECRETS[1]}@bucket` },
      /without credentials or port: set AWS_/,
    ],
    [
      'SLUICE_BLOB_STORE has a query string',
      { SLUICE_BLOB_STORE: 's3://bucket?region=x' },
      /must not have a query or a fragment/,
    ],
    [
      'the blob store prefix has an empty segment',
      { SLUICE_BLOB_STORE: 's3://bucket/a//b' },
      /must have a prefix of letters/,
    ],
    ['AWS_ENDPOINT_URL is not a URL', { AWS_ENDPOINT_URL: 'minio:9000' }, /AWS_ENDPOINT_URL must be a URL/],
    [
      'the file URL of the blob store has a host',
      { SLUICE_BLOB_STORE: 'file://host/x' },
      /must have the form file:\/\/\/path/,
    ],
    [
      'the blob store directory is a file',
      { SLUICE_BLOB_STORE: 'file:///etc/passwd' },
      /blob store folder cannot be used/,
    ],
  ];
  for (const [name, own, message] of cases) {
    it(`fails to start with a one-line error when ${name}`, async () => {
      assert.match(await errorLine(own), message);
    });
  }

  it('fails to start with a one-line error when bucket access is denied or the region is wrong', async () => {
    s3.proxy.rule = () => ({ type: 'status', status: 403, code: 'AccessDenied' });
    const denied = await errorLine({});
    assert.match(denied, /access to the bucket sluice-frames is denied/);
    assert.match(denied, /s3:AbortMultipartUpload/);
    s3.proxy.rule = () => ({ type: 'status', status: 301, code: 'PermanentRedirect' });
    assert.match(await errorLine({}), /is in another region/);
    s3.proxy.rule = () => undefined;
  });
});
