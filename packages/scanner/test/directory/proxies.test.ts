import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { makeFolder, runScanner } from '../cli/run-scanner.ts';
import { selfSigned } from '../push/support/certificate.ts';
import { startProxy } from '../push/support/proxy.ts';
import { closedPort } from '../push/support/service.ts';
import { connectTo, emulate } from './support/connect-to.ts';
import { readValue } from './support/read-value.ts';
import { scannerError } from './support/scanner-error.ts';

describe('scans through a proxy', () => {
  it('connects directly to an emulator without TLS on this machine', async (context) => {
    const [emulator, proxy] = [await emulate(context), await startProxy(context)];
    const env = { HTTP_PROXY: `http://${proxy.address}`, HTTPS_PROXY: `http://${proxy.address}` };
    readValue((await (await connectTo(emulator, { env })).read(['zones'])).zones);
    assert.equal(proxy.requests.length, 0);
  });

  it('connects directly to hosts in NO_PROXY', async (context) => {
    const [emulator, proxy] = [await emulate(context), await startProxy(context)];
    const address = `127.0.0.1:${await closedPort()}`;
    const env = {
      DIRECTORY_ORG_URL: `https://${address}`,
      HTTPS_PROXY: proxy.address,
      NO_PROXY: '127.0.0.1',
    };
    const failure = connectTo(emulator, { env, flags: { maxRetries: 0 } });
    assert.match(
      (await scannerError(failure, 'unreachable')).message,
      /ECONNREFUSED.*the network and the proxy settings/,
    );
    assert.equal(proxy.requests.length, 0);
  });

  itInWholeRun(
    'tunnels TLS through HTTPS_PROXY without exposing the token, and closes the tunnel after the scan',
    async (context) => {
      const certificate = await selfSigned(context);
      const emulator = await emulate(context, { tls: certificate });
      const proxy = await startProxy(context);
      const env = {
        ...emulator.environment(),
        HTTPS_PROXY: `http://someone:secret@${proxy.address}`,
        NODE_EXTRA_CA_CERTS: certificate.file,
      };
      const { folder, remove } = await makeFolder();
      context.after(remove);
      const args = ['directory', '--directory-requests-per-second', '0'];
      const { code, stderr } = await runScanner(args, { env, cwd: folder });
      assert.equal(code, 0, stderr);
      assert.ok(proxy.requests.length > 0);
      for (const { method, target, headers } of proxy.requests) {
        assert.deepEqual([method, target], ['CONNECT', new URL(emulator.url).host]);
        assert.equal(headers.authorization, undefined);
        assert.match(headers['proxy-authorization'] ?? '', /^Basic /);
      }
    },
  );

  it('reports the address of a proxy that cannot be reached', async (context) => {
    const emulator = await emulate(context);
    const address = `127.0.0.1:${await closedPort()}`;
    const env = { DIRECTORY_ORG_URL: 'https://acme.example', HTTP_PROXY: `http://someone:secret@${address}` };
    const failure = connectTo(emulator, { env, flags: { maxRetries: 0 } });
    const { message } = await scannerError(failure, 'unreachable');
    assert.equal(
      message,
      `https://acme.example did not respond (ECONNREFUSED): the proxy ${address} could not be reached; check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.`,
    );
  });

  for (const status of [403, 407])
    it(`reports the address of a proxy that rejects a tunnel with ${status}`, async (context) => {
      const [emulator, proxy] = [await emulate(context), await startProxy(context, { refuse: status })];
      const env = { DIRECTORY_ORG_URL: 'https://acme.example', HTTPS_PROXY: proxy.address };
      const failure = connectTo(emulator, { env, flags: { maxRetries: 0 } });
      const { message } = await scannerError(failure, 'unreachable');
      assert.match(
        message,
        new RegExp(`: the proxy ${proxy.address} refused the connection \\(.*${status}.*\\)\\.$`),
      );
      assert.equal(emulator.tokenRequests.length, 0);
    });

  it('rejects an invalid proxy variable without printing it', async (context) => {
    const emulator = await emulate(context);
    const failure = connectTo(emulator, {
      env: { DIRECTORY_ORG_URL: 'https://acme.example', HTTPS_PROXY: 'ftp://someone:secret@127.0.0.1' },
    });
    const { message, exitCode } = await scannerError(failure, 'invalid_proxy');
    assert.equal(message, 'HTTPS_PROXY is not a valid proxy URL; use a URL such as http://host:3128.');
    assert.equal(exitCode, 2);
  });
});
