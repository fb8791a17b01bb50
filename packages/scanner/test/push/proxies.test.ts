import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selfSigned } from './support/certificate.ts';
import { startProxy } from './support/proxy.ts';
import { failureOf, KEY, pushOne } from './support/run-push.ts';
import { startService, type TestService } from './support/service.ts';

const SECRET = 'p@ss:word';
const USER = `someone:${encodeURIComponent(SECRET)}`;
const BASIC = `Basic ${Buffer.from(`someone:${SECRET}`).toString('base64')}`;

describe('proxy environment variables', { concurrency: 2 }, () => {
  for (const name of ['HTTP_PROXY', 'http_proxy'])
    it(`forwards unencrypted requests through ${name} without a tunnel`, async (context) => {
      const [service, proxy] = [await startService(context), await startProxy(context)];
      assert.equal((await pushOne(context, { service, env: { [name]: `http://${proxy.address}` } })).code, 0);
      assert.deepEqual(
        proxy.requests.map(({ method, target }) => [method, target]),
        [
          ['GET', `${service.url}/api/v1/limits`],
          ['POST', `${service.url}/api/v1/ingestions`],
        ],
      );
      assert.equal(service.uploads()[0]?.headers.authorization, `Api-Key ${KEY}`);
      assert.equal(service.uploads()[0]?.headers.host, `127.0.0.1:${service.port}`);
    });

  it('tunnels encrypted requests through HTTPS_PROXY without exposing the API key', async (context) => {
    const certificate = await selfSigned(context);
    const [service, proxy] = [await startService(context, { certificate }), await startProxy(context)];
    // A proxy variable can omit the scheme.
    const env = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: certificate.file };
    assert.equal((await pushOne(context, { service, env })).code, 0);
    assert.ok(proxy.requests.length > 0);
    for (const { method, target, headers } of proxy.requests) {
      assert.deepEqual([method, target], ['CONNECT', `127.0.0.1:${service.port}`]);
      assert.equal(headers.authorization, undefined);
    }
    assert.equal(service.uploads().length, 1);
  });

  it('sends the proxy user name and password only to the proxy', async (context) => {
    const certificate = await selfSigned(context);
    const proxy = await startProxy(context);
    const env = {
      HTTP_PROXY: `http://${USER}@${proxy.address}`,
      HTTPS_PROXY: `http://${USER}@${proxy.address}`,
      NODE_EXTRA_CA_CERTS: certificate.file,
    };
    const services: TestService[] = [
      await startService(context),
      await startService(context, { certificate }),
    ];
    for (const service of services) {
      assert.equal((await pushOne(context, { service, env })).code, 0);
      assert.equal(service.uploads()[0]?.headers['proxy-authorization'], undefined);
    }
    assert.ok(proxy.requests.length >= 3);
    for (const { headers } of proxy.requests) assert.equal(headers['proxy-authorization'], BASIC);
  });

  for (const noProxy of ['127.0.0.1', 'sluice.example,127.0.0.1', '*'])
    it(`connects directly to hosts in NO_PROXY: ${noProxy}`, async (context) => {
      const [service, proxy] = [await startService(context), await startProxy(context)];
      const env = { HTTP_PROXY: `http://${proxy.address}`, NO_PROXY: noProxy };
      assert.equal((await pushOne(context, { service, env })).code, 0);
      assert.deepEqual([proxy.requests.length, service.uploads().length], [0, 1]);
    });

  it('uses the proxy for hosts that are not in NO_PROXY', async (context) => {
    const [service, proxy] = [await startService(context), await startProxy(context)];
    const env = { HTTP_PROXY: `http://${proxy.address}`, NO_PROXY: 'sluice.example, 127.0.0.2' };
    assert.equal((await pushOne(context, { service, env })).code, 0);
    assert.equal(proxy.requests.length, 2);
  });

  for (const text of ['http://someone:secret@:bad', 'ftp://someone:secret@127.0.0.1:3128'])
    it(`reports the variable that contains an invalid proxy URL: ${text}`, async (context) => {
      const service = await startService(context);
      const result = await pushOne(context, { service, env: { HTTP_PROXY: text } });
      const { code, message } = failureOf(result);
      assert.equal(code, 'invalid_proxy');
      assert.match(message, /^HTTP_PROXY .*; use .*http:\/\//);
      assert.doesNotMatch(result.stderr, /secret/);
      assert.equal(service.requests.length, 0);
    });
});
