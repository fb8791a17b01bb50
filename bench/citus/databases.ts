import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type OwnCitusDatabase, onNode } from '../../packages/server/test/support/citus.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/sluice.js', import.meta.url));
const SINGLE = 'single';

/** Creates an empty database on the server of the coordinator. Returns its URL. */
export async function createSingleDatabase({ url }: OwnCitusDatabase): Promise<string> {
  await onNode(url, `create database ${SINGLE}`);
  const single = new URL(url);
  single.pathname = SINGLE;
  return single.href;
}

/** Creates the tables of the cluster's database, distributed over its workers. Returns its URL. */
export async function distribute({ url }: OwnCitusDatabase): Promise<string> {
  const args = [BIN, 'migrate', '--distribute'];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, DATABASE_URL: url } });
  return url;
}
