import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, describe, it, type TestContext } from 'node:test';
import { decodeJwt } from 'jose';
import { type Certificate, selfSigned } from '../../scanner/test/push/support/certificate.ts';
import type { Emulator } from '../src/index.ts';
import { clientAssertion, proofKey } from './support/bound-token.ts';
import { emulators } from './support/emulators.ts';

const organizations = emulators();
after(() => organizations.stopAll());

const NAME = 'acme.okta.com';
const PUBLIC_URL = `https://${NAME}`;

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with the public host name to the listen address, as a client with a hosts file entry would. */
async function send(
  { address }: Emulator,
  { cert }: Certificate,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const options = { method, ca: cert, servername: NAME, headers: { Host: NAME, ...headers } };
    request(new URL(path, address), options, (response) => {
      text(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
        reject,
      );
    })
      .on('error', reject)
      .end(body);
  });
}

/** Requests a bound token. The first proof is rejected because it has no nonce. */
async function boundToken(emulator: Emulator, certificate: Certificate) {
  const proof = await proofKey();
  const requestToken = async (nonce?: string) => {
    const claims = { htm: 'POST', htu: `${PUBLIC_URL}/oauth2/v1/token`, ...(nonce && { nonce }) };
    return send(emulator, certificate, '/oauth2/v1/token', {
      headers: { DPoP: await proof(claims), 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'okta.networkZones.read',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await clientAssertion(emulator),
      }).toString(),
    });
  };
  const rejected = await requestToken();
  assert.deepEqual([rejected.status, JSON.parse(rejected.body).error], [400, 'use_dpop_nonce']);
  const { status, body } = await requestToken(String(rejected.headers['dpop-nonce']));
  assert.equal(status, 200, body);
  const { access_token: accessToken }: { access_token: string } = JSON.parse(body);
  return { accessToken, proof };
}

const start = async (context: TestContext) => {
  const certificate = await selfSigned(context, `DNS:${NAME}`);
  const { key, cert } = certificate;
  const options = { dialect: 'okta', publicUrl: PUBLIC_URL, tls: { key, cert }, pageSize: 1 } as const;
  return { certificate, emulator: await organizations.start(options) };
};

describe('public URL', () => {
  it('uses the public URL for the issuer, the links, and the htu claim of proofs', async (context) => {
    const { certificate, emulator } = await start(context);
    assert.deepEqual([emulator.url, emulator.environment().DIRECTORY_ORG_URL], [PUBLIC_URL, PUBLIC_URL]);
    const { accessToken, proof } = await boundToken(emulator, certificate);
    const { iss, aud } = decodeJwt(accessToken);
    assert.deepEqual([iss, aud], [PUBLIC_URL, PUBLIC_URL]);

    const ath = createHash('sha256').update(accessToken).digest('base64url');
    const read = async (htu: string) =>
      send(emulator, certificate, '/api/v1/zones', {
        headers: { Authorization: `DPoP ${accessToken}`, DPoP: await proof({ htm: 'GET', htu, ath }) },
      });
    const zones = await read(`${PUBLIC_URL}/api/v1/zones`);
    assert.equal(zones.status, 200);
    assert.match(String(zones.headers.link), /<https:\/\/acme\.okta\.com\/api\/v1\/zones\?after=/);
    assert.match(zones.body, /"self":\{"href":"https:\/\/acme\.okta\.com\/api\/v1\/zones\/nzo/);
    assert.equal((await read(`${emulator.address}/api/v1/zones`)).status, 401);
  });

  it('expects the public URL in the htu claim of DPoP proofs if a proxy terminates TLS', async () => {
    const emulator = await organizations.start({ publicUrl: PUBLIC_URL });
    const proof = await proofKey();
    const statusFor = async (origin: string) => {
      const DPoP = await proof({ htm: 'POST', htu: `${origin}/oauth2/v1/token` });
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'directory.networkZones.read',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await clientAssertion(emulator),
      });
      const url = `${emulator.address}/oauth2/v1/token`;
      return (await fetch(url, { method: 'POST', headers: { DPoP }, body })).status;
    };
    assert.deepEqual([await statusFor(PUBLIC_URL), await statusFor(emulator.address)], [200, 400]);
  });

  it('rejects a public URL that is not an origin', async () => {
    for (const publicUrl of ['https://acme.okta.com/path', 'acme.okta.com'])
      await assert.rejects(organizations.start({ publicUrl }), TypeError);
  });
});
