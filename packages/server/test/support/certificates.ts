import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './process.ts';
import { serverAccount } from './server-account.ts';

/** PEM files. */
export interface Certificates {
  readonly folder: string;
  /** The certificate authority that signed `cert`. */
  readonly authority: string;
  /** A certificate authority that signed no certificate. */
  readonly otherAuthority: string;
  /** A certificate for the server name `localhost` but for no IP address. */
  readonly cert: string;
  readonly key: string;
}

/** Creates certificates with openssl. The system user that runs PostgreSQL owns the server key. */
export async function createCertificates(): Promise<Certificates> {
  const folder = await mkdtemp(path.join(tmpdir(), 'certificates-'));
  const file = (name: string) => path.join(folder, name);
  const openssl = async (...args: string[]) => {
    const { code, stderr } = await run('openssl', args);
    if (code !== 0) throw new Error(`openssl exited with ${code}: ${stderr}`);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['authority', 'other'])
    await openssl(
      ...['req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`],
      ...['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)],
    );
  await openssl(
    'req',
    ...newKey,
    '-subj',
    '/CN=localhost',
    '-keyout',
    file('server.key'),
    '-out',
    file('server.csr'),
  );
  await writeFile(file('extensions'), 'subjectAltName=DNS:localhost\n');
  await openssl(
    ...['x509', '-req', '-in', file('server.csr'), '-days', '2', '-CAcreateserial'],
    ...['-CA', file('authority.pem'), '-CAkey', file('authority.key')],
    ...['-extfile', file('extensions'), '-out', file('server.pem')],
  );
  const user = await serverAccount(file('data'));
  if (user !== undefined)
    for (const name of [folder, file('server.key'), file('server.pem')])
      await chown(name, user.uid, user.gid);
  return {
    folder,
    authority: file('authority.pem'),
    otherAuthority: file('other.pem'),
    cert: file('server.pem'),
    key: file('server.key'),
  };
}
