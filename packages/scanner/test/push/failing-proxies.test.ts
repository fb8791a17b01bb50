import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWholeRun, itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { selfSigned } from './support/certificate.ts';
import { startProxy } from './support/proxy.ts';
import { failureOf, pushOne } from './support/run-push.ts';
import { closedPort, startService } from './support/service.ts';

const RETRIES = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '4' };

const names = isWholeRun ? (['HTTP_PROXY', 'HTTPS_PROXY'] as const) : (['HTTPS_PROXY'] as const);

describe('failing proxies', { concurrency: 2 }, () => {
  for (const status of [403, 407])
    it(`reports that a proxy rejects a tunnel with ${status}`, async (context) => {
      const certificate = await selfSigned(context);
      const service = await startService(context, { certificate });
      const proxy = await startProxy(context, { refuse: status });
      const env = { ...RETRIES, HTTPS_PROXY: `http://${proxy.address}` };
      const { code, message } = failureOf(await pushOne(context, { service, env }));
      assert.equal(code, 'unreachable');
      assert.ok(message.startsWith(`${service.url} could not be reached through the proxy (`), message);
      assert.match(message, new RegExp(`\\(${status}\\)`));
      // The limits request and the upload are sent once each.
      assert.deepEqual([proxy.requests.length, service.requests.length], [2, 0]);
    });

  it('reports a proxy that requires authentication', async (context) => {
    const service = await startService(context);
    const proxy = await startProxy(context, { refuse: 407 });
    const env = { ...RETRIES, HTTP_PROXY: `http://${proxy.address}` };
    const { code, message } = failureOf(await pushOne(context, { service, env }));
    assert.equal(code, 'unreachable');
    assert.match(message, /could not be reached through the proxy \(.*407.*\)/);
    // The limits request and the upload are sent once each.
    assert.deepEqual([proxy.requests.length, service.requests.length], [2, 0]);
  });

  for (const name of names)
    it(`reports the address of an unreachable proxy set in ${name}, and the variable names`, async (context) => {
      const certificate = name === 'HTTPS_PROXY' ? await selfSigned(context) : undefined;
      const service = await startService(context, certificate && { certificate });
      const address = `127.0.0.1:${await closedPort()}`;
      const env = { [name]: `http://someone:secret@${address}` };
      const result = await pushOne(context, { service, env });
      const { code, message } = failureOf(result);
      assert.equal(code, 'unreachable');
      const sentence = `the proxy ${address} for ${service.url}, set in HTTP_PROXY or HTTPS_PROXY, could not be reached (ECONNREFUSED)`;
      assert.ok(message.startsWith(sentence), message);
      assert.doesNotMatch(result.stderr, /secret/);
    });

  for (const name of names)
    itInWholeRun(`applies the idle timeout to an unresponsive proxy in ${name}`, async (context) => {
      const certificate = name === 'HTTPS_PROXY' ? await selfSigned(context) : undefined;
      const service = await startService(context, certificate && { certificate });
      const proxy = await startProxy(context, { isSilent: true });
      const env = { ...RETRIES, SCANNER_CLOUD_TIMEOUT_SECONDS: '0.5', [name]: `http://${proxy.address}` };
      const { code, message } = failureOf(await pushOne(context, { service, env }));
      assert.equal(code, 'no_answer');
      assert.match(message, /the connection was idle for 0\.5 s/);
      assert.equal(proxy.requests.length, 3, 'expected one limits request and two upload attempts');
    });
});
