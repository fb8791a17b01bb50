import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Behavior, halfResponse, hang, page, refuse, reset, respond } from './support/behaviors.ts';
import { CONTENT, pushOne } from './support/run-push.ts';
import { startService } from './support/service.ts';

/** Failures of `GET /limits`. */
const FAILURES: readonly (readonly [description: string, behavior: Behavior])[] = [
  ['401', refuse(401, 'Not here.')],
  ['404', respond(404)],
  ['429', refuse(429, '', { 'retry-after': '60' })],
  ['500', page(500)],
  ['503', refuse(503, '')],
  ['a redirect', respond(302, '', { location: 'http://127.0.0.1:1' })],
  ['an HTML page', page(200)],
  ['unexpected JSON', respond(200, { data: { attributes: { encodings: 'gzip' } } })],
  ['a reset connection', reset],
  ['a truncated response', halfResponse],
  ['no response', hang],
];

describe('limits request of a push', { concurrency: 4 }, () => {
  for (const [description, behavior] of FAILURES)
    it(`pushes the file uncompressed and does not retry if the limits request ends with ${description}`, async (context) => {
      const service = await startService(context, { limits: [behavior] });
      const env = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '2', SCANNER_CLOUD_TIMEOUT_SECONDS: '0.5' };
      const { code, stderr } = await pushOne(context, { service, env });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      const [upload, ...more] = service.uploads();
      assert.equal(upload?.form?.file?.content.toString(), CONTENT);
      assert.deepEqual([service.requests.length, more], [2, []]);
    });
});
