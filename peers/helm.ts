import path from 'node:path';
import { installOnce } from '../packages/server/test/support/install-once.ts';
import { run, startProcess } from '../packages/server/test/support/process.ts';
import { CACHE } from './python-environment.ts';

const HELM = 'v4.3.1';
/** Without optimization and debug information, compilation takes a third less CPU time. */
const BUILD_FLAGS = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];
/** Compilation takes 2.5 minutes on an idle machine. After a timeout, the next run continues from Go's build cache. */
const INSTALL_MS = 8 * 60_000;

/**
 * Returns the path of the `helm` binary. The first call compiles it with modules from the Go module proxy and caches it. Returns
 * an object with the reason if that is not possible, for example without Go.
 */
export async function installHelm(): Promise<string | { readonly missing: string }> {
  const folder = path.join(CACHE, `helm-${HELM}`);
  const reason = await installOnce(folder, compile);
  return reason === undefined ? path.join(folder, 'helm') : { missing: `Helm can't be installed: ${reason}` };
}

/** Compiles Helm into a folder. Returns the reason if that fails. */
async function compile(folder: string): Promise<string | undefined> {
  if ((await run('sh', ['-c', 'command -v go'])).code !== 0) return 'Go is missing';
  const install = startProcess('go', ['install', ...BUILD_FLAGS, `helm.sh/helm/v4/cmd/helm@${HELM}`], {
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: folder },
  });
  const timer = setTimeout(() => install.signalGroup('SIGTERM'), INSTALL_MS);
  const { code, stderr } = await install.ended.finally(() => clearTimeout(timer));
  if (code === 0) return undefined;
  return code === null
    ? `the installation took more than ${INSTALL_MS / 60_000} minutes`
    : stderr.trim().split('\n').at(-1);
}
