import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { run, startProcess } from '../packages/server/test/support/process.ts';
import { CACHE } from './python-environment.ts';

const HELM = 'v4.3.1';
/** Two minutes and a half where the machine has nothing else to do. The next run continues with what Go has compiled. */
const INSTALL_MS = 8 * 60_000;

/**
 * The path of Helm's program. The first call compiles it, from the Go module proxy, into the cache. Resolves with an object
 * that has the reason as a sentence where that is not possible, such as without Go.
 */
export async function installHelm(): Promise<string | { readonly missing: string }> {
  const folder = path.join(CACHE, `helm-${HELM}`);
  const program = path.join(folder, 'helm');
  if (existsSync(program)) return program;
  const { code } = await run('sh', ['-c', 'command -v go']);
  if (code !== 0) return { missing: 'Helm cannot be installed: it needs Go' };
  const building = `${folder}.${process.pid}`;
  await mkdir(building, { recursive: true });
  try {
    const install = startProcess('go', ['install', `helm.sh/helm/v4/cmd/helm@${HELM}`], {
      env: { ...process.env, GOBIN: building },
    });
    const timer = setTimeout(() => install.signalGroup('SIGTERM'), INSTALL_MS);
    const ended = await install.ended.finally(() => clearTimeout(timer));
    if (ended.code !== 0) {
      const line = ended.stderr.trim().split('\n').at(-1);
      const reason = ended.code === null ? `it took more than ${INSTALL_MS / 60_000} minutes` : line;
      return { missing: `Helm cannot be installed: ${reason}` };
    }
    // Another run may have been faster; its program is the same.
    if (!existsSync(program)) await rename(building, folder);
    return program;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}
