import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CHECKOUT } from './dockerfile.ts';

/** Read by the AWS SDK and not by us. */
const OF_THE_SDK = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/** The names of all settings that the service reads. */
export async function readNames(): Promise<Set<string>> {
  const code = await readFile(path.join(CHECKOUT, 'packages/server/src/config.ts'), 'utf8');
  const own = [...code.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name);
  return new Set([...own, ...OF_THE_SDK]);
}
