import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { respond } from './support/behaviors.ts';
import { failureOf, pushOne } from './support/run-push.ts';
import { startService } from './support/service.ts';

describe('redirects', { concurrency: 2 }, () => {
  for (const status of [301, 302, 303, 307, 308])
    it(`reports a ${status} redirect to another host and does not send the key there`, async (context) => {
      const other = await startService(context);
      const location = `${other.url}/api/v1/ingestions`;
      const service = await startService(context, { uploads: [respond(status, '', { location })] });
      const { code, message } = failureOf(await pushOne(context, { service }));
      assert.equal(code, 'redirected');
      assert.ok(
        message.includes(`returned ${status}, a redirect to ${location}; redirects are not followed`),
      );
      assert.match(message, /set SCANNER_CLOUD_API_BASE_URL to the final URL of the service$/);
      assert.equal(service.uploads().length, 1);
      assert.equal(other.requests.length, 0);
    });

  it('does not follow a redirect to the same host', async (context) => {
    const redirect = respond(308, '', { location: '/elsewhere/ingestions' });
    const service = await startService(context, { uploads: [redirect] });
    const { code, message } = failureOf(await pushOne(context, { service }));
    assert.equal(code, 'redirected');
    assert.match(message, /a redirect to \/elsewhere\/ingestions;/);
    assert.equal(service.uploads().length, 1);
  });

  it('reports a redirect without a Location header', async (context) => {
    const service = await startService(context, { uploads: [respond(302)] });
    assert.match(failureOf(await pushOne(context, { service })).message, /returned 302, a redirect;/);
  });

  it('does not send the key to the target of a redirected limits request', async (context) => {
    const other = await startService(context);
    const redirect = respond(302, '', { location: other.url });
    const service = await startService(context, { limits: [redirect], uploads: [redirect] });
    assert.equal(failureOf(await pushOne(context, { service })).code, 'redirected');
    assert.deepEqual([service.uploads().length, other.requests.length], [1, 0]);
  });
});
