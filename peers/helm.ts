import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { run, startProcess } from '../packages/server/test/support/process.ts';
import { CACHE } from './python-environment.ts';

const HELM = 'v4.3.1';
/** Compilation takes 2.5 minutes on an idle machine. After a timeout, the next run continues from Go's build cache. */
const INSTALL_MS = 8 * 60_000;

/**
 * Returns the path of the `helm` binary. The first call compiles it with modules from the Go module proxy and caches it. Returns
 * an object with the reason if that is not possible, for example without Go.
 */
export async function installHelm(): Promise<string | { readonly missing: string }> {
  const folder = path.join(CACHE, `helm-${HELM}`);
  const program = path.join(folder, 'helm');
  if (existsSync(program)) return program;
  const { code } = await run('sh', ['-c', 'command -v go']);
  if (code !== 0) return { missing: "Helm can't be installed because Go is missing" };
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
      const reason =
        ended.code === null ? `the installation took more than ${INSTALL_MS / 60_000} minutes` : line;
      return { missing: `Helm can't be installed: ${reason}` };
    }
    // Another run may have installed the same binary already.
    if (!existsSync(program)) await rename(building, folder);
    return program;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}
