import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { ResponseBodyError } from 'oauth4webapi';
import { until } from '../../server/test/support/until.ts';
import { clientAssertion, proofKey, requestToken } from './support/bound-token.ts';
import { emulators } from './support/emulators.ts';
import { ALL_SCOPES, type ClientOptions, scannerClient } from './support/scanner-client.ts';

const organizations = emulators();
after(() => organizations.stopAll());

describe('token requests', () => {
  it('issues a token that is bound to the DPoP key and contains the scopes as an array', async () => {
    const emulator = await organizations.start();
    const token = await (await scannerClient(emulator)).token();
    assert.deepEqual([token.token_type, token.expires_in, token.scope], ['dpop', 3600, ALL_SCOPES]);
    const { scp, cnf, iss, aud } = decodeJwt(token.access_token);
    assert.deepEqual(scp, ALL_SCOPES.split(' '));
    assert.deepEqual([typeof cnf, iss, aud], ['object', emulator.url, emulator.url]);
  });

  it('issues a Bearer token if DPoP is off, even for a request with a proof', async () => {
    const emulator = await organizations.start({ dpop: 'off' });
    const token = await (await scannerClient(emulator)).token();
    assert.equal(token.token_type, 'bearer');
    const client = await scannerClient(emulator, { dpop: false });
    assert.equal((await client.get('/api/v1/zones')).status, 200);
  });

  it('issues a DPoP-bound or Bearer token as requested if DPoP is optional', async () => {
    const emulator = await organizations.start({ dpop: 'optional' });
    const types = [];
    for (const dpop of [true, false]) {
      const client = await scannerClient(emulator, { dpop });
      types.push((await client.token()).token_type, (await client.get('/api/v1/zones')).status);
    }
    assert.deepEqual(types, ['dpop', 200, 'bearer', 200]);
  });

  it('accepts the issuer as the audience of a client assertion', async () => {
    const emulator = await organizations.start();
    await (await scannerClient(emulator, { audience: emulator.url })).token();
    assert.equal(emulator.tokenRequests.at(-1)?.status, 200);
  });

  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const rejections: readonly [string, ClientOptions, number, string][] = [
    ['signed with another key', { privateKey: otherKey.toString() }, 401, 'invalid_client'],
    ['for another audience', { audience: 'https://elsewhere.example' }, 401, 'invalid_client'],
    ['without a DPoP proof', { dpop: false }, 400, 'invalid_dpop_proof'],
    ['for an unknown scope', { scope: 'directory.zones.read' }, 400, 'invalid_scope'],
    ['without a scope', { scope: '' }, 400, 'invalid_scope'],
    [
      'for a granted and an ungranted scope',
      { scope: 'directory.policies.read directory.idps.read' },
      400,
      'invalid_scope',
    ],
    ['for only ungranted scopes', { scope: 'directory.idps.read' }, 400, 'consent_required'],
  ];
  for (const [description, options, status, error] of rejections)
    it(`rejects a token request ${description} with ${status} ${error}`, async () => {
      const emulator = await organizations.start({ grantedScopes: ['directory.policies.read'] });
      const client = await scannerClient(emulator, { scope: 'directory.policies.read', ...options });
      await assert.rejects(client.token(), (thrown) => {
        assert.ok(thrown instanceof Error);
        const { cause } = thrown;
        if (thrown instanceof ResponseBodyError)
          assert.deepEqual([thrown.status, thrown.error], [status, error]);
        else assert.fail(`${thrown.message} ${cause}`);
        return true;
      });
      const { status: logged, error: reason } = emulator.tokenRequests.at(-1) ?? {};
      assert.deepEqual([logged, reason], [status, error]);
    });

  it('rejects a replayed client assertion or DPoP proof', async () => {
    const emulator = await organizations.start();
    const htu = `${emulator.url}/oauth2/v1/token`;
    const proof = await proofKey();
    const [assertion, jwt] = [await clientAssertion(emulator), await proof({ htm: 'POST', htu })];
    assert.equal((await requestToken(emulator, assertion, jwt)).status, 200);
    assert.equal((await requestToken(emulator, assertion, await proof({ htm: 'POST', htu }))).status, 401);
    assert.equal((await requestToken(emulator, await clientAssertion(emulator), jwt)).status, 400);
  });

  it('sends a nonce challenge to the first token request and the first API request', async () => {
    const emulator = await organizations.start({ requireNonce: true });
    const client = await scannerClient(emulator);
    assert.equal((await client.get('/api/v1/zones')).status, 200);
    assert.equal((await client.get('/api/v1/brands')).status, 200);
    assert.deepEqual(
      emulator.tokenRequests.map(({ status, error }) => [status, error]),
      [
        [400, 'use_dpop_nonce'],
        [200, null],
      ],
    );
    assert.deepEqual(
      emulator.requests.map(({ status }) => status),
      [401, 200, 200],
    );
  });

  it('rejects an expired access token', async () => {
    // Token times are in whole seconds, so a token with a lifetime of 1 second could expire immediately.
    const emulator = await organizations.start({ tokenLifetimeSeconds: 4 });
    const client = await scannerClient(emulator);
    assert.equal((await client.get('/api/v1/zones')).status, 200);
    await until(async () => (await client.get('/api/v1/zones')).status === 401);
  });
});
