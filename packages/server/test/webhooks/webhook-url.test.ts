import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUrlFault, hostOf } from '../../src/webhooks/webhook-url.ts';

/** Loopback and private addresses in all forms that a URL can have. */
const ADDRESSES = [
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://０x7f.1/',
  'https://0/',
  'https://10.0.0.1:8443/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00::1]/',
];

describe('findUrlFault', () => {
  for (const url of ADDRESSES) {
    it(`rejects ${url} for a webhook, unless private addresses are allowed`, () => {
      assert.equal(findUrlFault(url, false), 'address');
      assert.equal(findUrlFault(url, true), undefined);
    });
  }

  it('accepts names and public addresses for a webhook, also in other forms', () => {
    for (const url of [
      'https://example.com/hook?a=b',
      'https://16843009/',
      'https://[2606:4700::1111]:8443/',
    ])
      assert.equal(findUrlFault(url, false), undefined, url);
  });

  it('accepts http URLs for a webhook only if private addresses are allowed', () => {
    assert.equal(findUrlFault('http://example.com/', false), 'scheme');
    assert.equal(findUrlFault('http://example.com/', true), undefined);
    for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)'])
      assert.equal(findUrlFault(url, true), 'scheme', url);
  });

  it('rejects a user name or a password in the URL of a webhook', () => {
    for (const url of [
      'https://user@example.com/',
      'https://user:password@example.com/',
      'https://:b@example.com/',
    ])
      assert.equal(findUrlFault(url, true), 'credentials', url);
  });

  it('rejects text that is not the URL of a webhook', () => {
    for (const url of [
      '',
      'example.com',
      '//example.com/',
      'https://',
      'https://1.2.3.4.5/',
      'https://[::1/',
    ])
      assert.equal(findUrlFault(url, true), 'not_a_url', url);
  });
});

describe('hostOf', () => {
  it('removes the brackets of an IPv6 address', () => {
    assert.equal(hostOf(new URL('https://[::1]:8443/')), '::1');
    assert.equal(hostOf(new URL('https://example.com:8443/')), 'example.com');
  });
});
