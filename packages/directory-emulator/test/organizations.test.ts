import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { selfSigned } from '../../scanner/test/push/support/certificate.ts';
import expected from '../organizations/expected.json' with { type: 'json' };
import { largeOrganization, readOrganization } from '../src/index.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const README = new URL('../organizations/README.md', import.meta.url);

/** Formats counts as `2 PASS, 1 MANUAL`. */
function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

describe('expected findings', () => {
  it('documents the expected findings from the test data in the README', async () => {
    const lines = (await readFile(README, 'utf8')).split('\n');
    const { compliant, 'non-compliant': nonCompliant, mixed } = expected;
    const checks = Object.keys(compliant['super-admin']);
    assert.equal(checks.length, 29);
    const tables = [compliant, nonCompliant, mixed].map((organization) => ({
      superAdmin: new Map(Object.entries(organization['super-admin'])),
      readOnly: new Map(Object.entries(organization['read-only'])),
    }));
    for (const check of checks) {
      const cells = tables.map(({ superAdmin, readOnly }) => {
        const [superAdminCounts, readOnlyCounts] = [
          formatCounts(superAdmin.get(check) ?? {}),
          formatCounts(readOnly.get(check) ?? {}),
        ];
        return superAdminCounts === readOnlyCounts
          ? superAdminCounts
          : `${superAdminCounts}; read-only: ${readOnlyCounts}`;
      });
      const line = `| \`${check}\` | ${cells.join(' | ')} |`;
      assert.ok(lines.includes(line), `README.md does not contain: ${line}`);
    }
  });
});

describe('sample organizations', () => {
  it('returns independent copies of an organization', () => {
    readOrganization('compliant').zones.pop();
    assert.equal(readOrganization('compliant').zones.length, 4);
  });

  it('contains no dangling references to policies or groups in a sample organization', () => {
    for (const name of ['compliant', 'non-compliant', 'mixed', 'large'] as const) {
      const { apps, policies, users, groups } = readOrganization(name);
      const policyIds = new Set(policies.map(({ id }) => id));
      const groupIds = new Set(groups.map(({ id }) => id));
      for (const { id, accessPolicyId } of apps)
        assert.ok(accessPolicyId === null || policyIds.has(accessPolicyId), `${name} ${id}`);
      for (const user of users)
        for (const group of user.groups) assert.ok(groupIds.has(group), `${name} ${group}`);
    }
  });

  it('generates the same large organization for the same seed', () => {
    const size = { apps: 50, tokens: 30 };
    const first = largeOrganization({ ...size, seed: 7 });
    assert.deepEqual([first.apps.length, first.apiTokens.length], [57, 33]);
    assert.deepEqual(largeOrganization({ ...size, seed: 7 }), first);
    assert.notDeepEqual(largeOrganization({ ...size, seed: 8 }), first);
  });
});

describe('npm run emulator', () => {
  const start = (...flags: string[]) => spawn(process.execPath, [MAIN, ...flags]);

  it('prints shell commands that set environment variables, serves an organization, and stops on Ctrl-C', async () => {
    const emulator = start('--organization', 'mixed', '--role', 'read-only', '--rate-limit', '5/60');
    let printed = '';
    emulator.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await once(emulator.stderr, 'data');
    const shell = spawn('sh', ['-c', `${printed}printf '%b' "$DIRECTORY_PRIVATE_KEY"`]);
    let key = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      key += text;
    });
    await once(shell, 'close');
    assert.equal(createPrivateKey(key).asymmetricKeyType, 'rsa');
    const [, url = ''] = /DIRECTORY_ORG_URL='([^']*)'/.exec(printed) ?? [];
    const { status, headers } = await fetch(`${url}/api/v1/zones`);
    assert.deepEqual([status, headers.get('x-rate-limit-limit')], [401, '5']);
    emulator.kill('SIGINT');
    const [code] = await once(emulator, 'exit');
    assert.equal(code, 0);
  });

  it('serves an Okta organization over TLS at a public URL', async (context) => {
    const { file, cert } = await selfSigned(context, 'DNS:acme.okta.com');
    const tls = ['--tls-cert', file, '--tls-key', file.replace('cert.pem', 'key.pem')];
    const limits = ['--endpoint-rate-limit', '/api/v1/apps=10/60', '--without-feature', 'logStreams'];
    const emulator = start('--dialect', 'okta', '--public-url', 'https://acme.okta.com', ...tls, ...limits);
    context.after(() => emulator.kill());
    const [printed] = await once(emulator.stderr.setEncoding('utf8'), 'data');
    const [, address = ''] = /at https:\/\/acme\.okta\.com \(listening on (\S+)\)/.exec(printed) ?? [];
    const options = { ca: cert, servername: 'acme.okta.com', headers: { Host: 'acme.okta.com' } };
    const [response]: IncomingMessage[] = await once(
      request(new URL('/api/v1/apps', address), options).end(),
      'response',
    );
    assert.deepEqual([response?.statusCode, response?.headers['x-rate-limit-limit']], [401, '10']);
  });

  const invalid: readonly [string, readonly string[], RegExp][] = [
    [
      'an unknown organization',
      ['--organization', 'perfect'],
      /--organization must be one of .*, not 'perfect'\n/,
    ],
    [
      'a TLS key without a certificate',
      ['--tls-key', 'key.pem'],
      /--tls-key and --tls-cert must be used together/,
    ],
    [
      'an endpoint limit without --dialect okta',
      ['--endpoint-rate-limit', '/api/v1/apps=1/2'],
      /--endpoint-rate-limit and --without-feature require/,
    ],
    [
      'a public URL with a path',
      ['--public-url', 'https://acme.example/x'],
      /--public-url must be an origin/,
    ],
    [
      'an unknown feature',
      ['--dialect', 'okta', '--without-feature', 'magic'],
      /--without-feature must be one of/,
    ],
    [
      'an unreadable TLS key',
      ['--tls-key', 'no-such-file', '--tls-cert', 'no-such-file'],
      /--tls-key: can't read file/,
    ],
  ];
  for (const [description, flags, message] of invalid)
    it(`reports ${description} and exits with code 2`, async () => {
      const emulator = start(...flags);
      let printed = '';
      emulator.stderr.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      const [code] = await once(emulator, 'close');
      assert.equal(code, 2);
      assert.match(printed, new RegExp(`^emulator: ${message.source}`));
    });
});
