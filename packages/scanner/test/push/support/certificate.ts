import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { makeFolder } from '../../cli/run-scanner.ts';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The path of `cert`, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
}

/** Creates a self-signed certificate for a subject alternative name, such as `IP:127.0.0.1`. */
export async function selfSigned(context: TestContext, subject = 'IP:127.0.0.1'): Promise<Certificate> {
  const { folder, remove } = await makeFolder();
  context.after(remove);
  const file = path.join(folder, 'cert.pem');
  const keyFile = path.join(folder, 'key.pem');
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subjects = ['-subj', '/CN=Sluice test', '-addext', `subjectAltName=${subject}`, '-days', '2'];
  await promisify(execFile)('openssl', [...args, ...subjects, '-keyout', keyFile, '-out', file]);
  return { cert: await readFile(file, 'utf8'), key: await readFile(keyFile, 'utf8'), file };
}
