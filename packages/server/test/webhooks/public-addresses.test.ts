import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicAddress } from '../../src/webhooks/public-addresses.ts';

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2606:4700::1111',
  '3ffe:ffff::1',
  // The IPv4 address 8.8.8.8, mapped and as NAT64.
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

const NOT_PUBLIC = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  // An IPv4-compatible address.
  '::7f00:1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '64:ff9b:1::808:808',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:10.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '::ffff:0:8.8.8.8',
  'localhost',
  '1.1.1',
  '',
];

describe('isPublicAddress', () => {
  for (const address of PUBLIC)
    it(`accepts the public address ${address}`, () => assert.equal(isPublicAddress(address), true));
  for (const address of NOT_PUBLIC)
    it(`rejects the address '${address}', which is not public`, () =>
      assert.equal(isPublicAddress(address), false));
});
