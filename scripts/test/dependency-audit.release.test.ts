import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../packages/server/test/support/process.ts';
import { makeDataDir } from '../../packages/server/test/support/service.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Registry metadata with a single version, for any package. */
function packument(url: string) {
  const name = decodeURIComponent(url.slice(1));
  return { name, versions: { '5.0.0': { name, version: '5.0.0' } }, 'dist-tags': { latest: '5.0.0' } };
}

/**
 * Runs the audit against a registry that always returns this response, or against an unreachable registry if there is
 * no response.
 */
async function audit(registryResponse?: { readonly status: number; readonly body: unknown }) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(registryResponse?.status ?? 500, { 'content-type': 'application/json' });
      // npm also requests the versions of the packages in an advisory.
      response.end(
        JSON.stringify(request.method === 'GET' ? packument(request.url ?? '') : registryResponse?.body),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  if (registryResponse === undefined) server.close();
  // npm caches advisories, so each run gets its own cache.
  const cache = await makeDataDir();
  const env = {
    ...process.env,
    npm_config_cache: cache,
    npm_config_registry: `http://127.0.0.1:${port}/`,
  };
  const result = await run(process.execPath, ['.ci/audit.ts'], { cwd: ROOT, env });
  await rm(cache, { recursive: true, force: true });
  server.close();
  return result;
}

const advisory = (severity: string, name = 'fastify') => ({
  [name]: [
    {
      id: 1,
      url: 'https://example.com',
      title: 'Bad',
      severity,
      vulnerable_versions: '*',
      cwe: [],
      cvss: { score: 9, vectorString: null },
    },
  ],
});

describe('dependency audit', () => {
  it('passes the audit if there are no known high-severity or critical vulnerabilities', async () => {
    for (const body of [{}, advisory('moderate')]) {
      const { code, stdout } = await audit({ status: 200, body });
      assert.match(stdout, /^audit: \d+ known vulnerabilities .* 0 high, 0 critical$/m);
      assert.equal(code, 0);
    }
  });

  it('fails the audit if a production dependency has a known high-severity or critical vulnerability', async () => {
    for (const level of ['high', 'critical']) {
      const { code, stdout } = await audit({ status: 200, body: advisory(level) });
      assert.match(stdout, /^audit: failed/m);
      assert.equal(code, 1);
    }
  });

  it('fails the audit if a dev-tools package has a known high-severity vulnerability', async () => {
    const { code, stdout } = await audit({ status: 200, body: advisory('high', 'assemblyscript') });
    assert.match(stdout, /^audit: 0 known vulnerabilities in production dependencies/m);
    assert.match(stdout, /^audit: failed; run 'npm audit' in dev-tools for details$/m);
    assert.equal(code, 1);
  });

  it('passes and reports that the audit was skipped if the registry is unavailable', async () => {
    for (const registryResponse of [{ status: 404, body: { error: 'not here' } }, undefined]) {
      const { code, stdout } = await audit(registryResponse);
      assert.match(stdout, /^audit: skipped, the registry did not return an audit \(.+\)\n$/);
      assert.equal(code, 0);
    }
  });
});
