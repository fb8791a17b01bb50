import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Emulator } from '../src/index.ts';
import { boundToken, proofKey } from './support/bound-token.ts';
import { emulators } from './support/emulators.ts';

const organizations = emulators();
after(() => organizations.stopAll());

describe('DPoP proofs', () => {
  let emulator: Emulator;
  let token: Awaited<ReturnType<typeof boundToken>>;
  before(async () => {
    emulator = await organizations.start();
    token = await boundToken(emulator);
  });

  it('accepts a DPoP proof only once', async () => {
    const proof = await token.proofFor('/api/v1/zones');
    assert.equal((await token.get('/api/v1/zones', proof)).status, 200);
    const replayed = await token.get('/api/v1/zones', proof);
    assert.equal(replayed.status, 401);
    assert.match(replayed.headers.get('www-authenticate') ?? '', /^DPoP error="invalid_dpop_proof"/);
    assert.deepEqual(
      emulator.requests.slice(-2).map(({ proof: outcome }) => outcome),
      ['fresh', 'replayed'],
    );
  });

  it("accepts a DPoP proof whose htu omits the request's query string", async () => {
    const proof = await token.proofFor('/api/v1/zones');
    assert.equal((await token.get('/api/v1/zones?limit=1', proof)).status, 200);
  });

  const invalidClaims = {
    'for another method': { htm: 'POST' },
    'for another path': { htu: 'http://127.0.0.1/api/v1/brands' },
    'for another token': { ath: 'AAAA' },
    'without a jti': { jti: '' },
    'from an hour ago': { iat: Math.floor(Date.now() / 1000) - 3600 },
  };
  for (const [description, claims] of Object.entries(invalidClaims))
    it(`rejects a DPoP proof ${description}`, async () => {
      const response = await token.get('/api/v1/zones', await token.proofFor('/api/v1/zones', claims));
      assert.equal(response.status, 401);
      assert.equal(emulator.requests.at(-1)?.proof, 'rejected');
    });

  it('rejects a DPoP proof that is not signed with the key that the token is bound to', async () => {
    const [, payload = ''] = (await token.proofFor('/api/v1/zones')).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const otherProof = await proofKey();
    assert.equal((await token.get('/api/v1/zones', await otherProof(claims))).status, 401);
  });

  it('rejects a DPoP-bound token with the Bearer scheme or without a proof', async () => {
    const proof = await token.proofFor('/api/v1/zones');
    assert.equal((await token.get('/api/v1/zones', proof, 'Bearer')).status, 401);
    const withoutProof = await fetch(`${emulator.url}/api/v1/zones`, {
      headers: { Authorization: `DPoP ${token.accessToken}` },
    });
    assert.equal(withoutProof.status, 401);
    assert.equal(emulator.requests.at(-1)?.proof, 'none');
  });

  it('rejects a token from another organization', async () => {
    const other = await boundToken(await organizations.start());
    const { accessToken } = other;
    const response = await fetch(`${emulator.url}/api/v1/zones`, {
      headers: { Authorization: `DPoP ${accessToken}`, DPoP: await token.proofFor('/api/v1/zones') },
    });
    assert.equal(response.status, 401);
    assert.match(await response.text(), /E0000011/);
  });
});
