import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selfSigned } from './support/certificate.ts';
import { failureOf, pushOne } from './support/run-push.ts';
import { startService } from './support/service.ts';

const RETRIES = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '4' };

describe('push over TLS', { concurrency: 2 }, () => {
  it('does not push to a service with an untrusted certificate', async (context) => {
    const service = await startService(context, { certificate: await selfSigned(context) });
    const { code, message, retries } = failureOf(await pushOne(context, { service, env: RETRIES }));
    assert.equal(code, 'untrusted_certificate');
    assert.ok(
      message.startsWith(`the certificate of ${service.url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); `),
    );
    assert.match(message, /^.*NODE_EXTRA_CA_CERTS .*, or check the URL \(SCANNER_CLOUD_API_BASE_URL\)$/);
    assert.deepEqual([retries, service.requests], [[], []]);
  });

  it('pushes to a service whose certificate is in NODE_EXTRA_CA_CERTS', async (context) => {
    const certificate = await selfSigned(context);
    const service = await startService(context, { certificate });
    const env = { NODE_EXTRA_CA_CERTS: certificate.file };
    const { code, stdout } = await pushOne(context, { service, env });
    assert.equal(code, 0);
    assert.ok(stdout.includes(`  Scans: ${service.url}/scans\n`));
    assert.equal(service.uploads().length, 1);
  });

  it('rejects a certificate for another host', async (context) => {
    const certificate = await selfSigned(context, 'DNS:sluice.example');
    const service = await startService(context, { certificate });
    const env = { ...RETRIES, NODE_EXTRA_CA_CERTS: certificate.file };
    const { code, message } = failureOf(await pushOne(context, { service, env }));
    assert.equal(code, 'untrusted_certificate');
    assert.match(message, /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.equal(service.requests.length, 0);
  });

  it('reports that an HTTPS URL points to a plain HTTP service and suggests http://', async (context) => {
    const { port, requests } = await startService(context);
    const service = { url: `https://127.0.0.1:${port}` };
    const { code, message, retries } = failureOf(await pushOne(context, { service, env: RETRIES }));
    assert.equal(code, 'unreachable');
    assert.match(
      message,
      /^https:\/\/127\.0\.0\.1:\d+ could not be reached: the server does not use TLS .* use http:/,
    );
    assert.deepEqual([requests, retries], [[], []]);
  });

  it('reports not_understood if an HTTP URL points to an HTTPS service', async (context) => {
    const { port } = await startService(context, { certificate: await selfSigned(context) });
    const service = { url: `http://127.0.0.1:${port}` };
    assert.equal(failureOf(await pushOne(context, { service })).code, 'connection_lost');
  });
});
