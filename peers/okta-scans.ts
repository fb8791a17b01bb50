// Scans an emulated Okta organization with Prowler and Sluice, and prints the results as one line of JSON.
// `test/prowler-okta.peers.test.ts` runs it in a namespace that resolves the name of the organization to this machine.
// Usage: node okta-scans.ts FOLDER ORGANIZATION PROWLER
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type OrganizationName, startEmulator } from '../packages/directory-emulator/src/index.ts';
import { run } from '../packages/server/test/support/process.ts';

/** Prowler accepts only Okta domains without a port. */
export const OKTA_HOST = 'acme.okta.com';
const SCANNER = path.join(import.meta.dirname, '../packages/scanner/bin/scanner.js');

interface PeerScan {
  readonly seconds: number;
  /** Count of requests to the management API and the token endpoint. */
  readonly requests: number;
  /** Exit code: 0, or 3 if a check failed. */
  readonly code: number | null;
  readonly output: string;
}

export interface PeerScans {
  readonly prowler: PeerScan;
  readonly sluice: PeerScan;
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', organization = '', prowler = ''] = process.argv.slice(2);
  console.log(JSON.stringify(await scanWithBoth(folder, organization as OrganizationName, prowler)));
}

/** Writes `prowler.ocsf.json` and `sluice.ocsf.json` to the folder, which must contain `cert.pem` and `key.pem`. */
async function scanWithBoth(
  folder: string,
  organization: OrganizationName,
  prowler: string,
): Promise<PeerScans> {
  const certificate = path.join(folder, 'cert.pem');
  const emulator = await startEmulator({
    organization,
    dialect: 'okta',
    port: 443,
    publicUrl: `https://${OKTA_HOST}`,
    tls: {
      cert: await readFile(certificate, 'utf8'),
      key: await readFile(path.join(folder, 'key.pem'), 'utf8'),
    },
  });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    OKTA_ORG_DOMAIN: OKTA_HOST,
    OKTA_CLIENT_ID: emulator.clientId,
    OKTA_PRIVATE_KEY: emulator.privateKeyPem,
    // Trust the certificate in Python and Node.
    SSL_CERT_FILE: certificate,
    REQUESTS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const scan = async (program: string, args: readonly string[]): Promise<PeerScan> => {
    const before = emulator.requests.length + emulator.tokenRequests.length;
    const start = performance.now();
    const { code, stdout, stderr } = await run(program, args, { env });
    return {
      seconds: Math.round((performance.now() - start) / 100) / 10,
      requests: emulator.requests.length + emulator.tokenRequests.length - before,
      code,
      output: `${stdout}\n${stderr}`,
    };
  };
  try {
    const outputs = [
      '--output-formats',
      'json-ocsf',
      '--output-directory',
      folder,
      '--no-banner',
      '--no-color',
    ];
    return {
      prowler: await scan(prowler, ['okta', ...outputs, '--output-filename', 'prowler']),
      sluice: await scan(process.execPath, [SCANNER, 'directory', ...outputs, '--output-filename', 'sluice']),
    };
  } finally {
    await emulator.stop();
  }
}
