import { lstat, mkdir, readFile, readlink, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { run, type StartedProcess, startProcess } from '../../../packages/server/test/support/process.ts';
import { until } from '../../../packages/server/test/support/until.ts';

/** Mount point of the host's Node in the container. */
const NODE = '/opt/node/bin';
const PATH = `${NODE}:/usr/local/bin:/usr/bin:/bin`;
const LINKS = ['bin', 'lib', 'lib64', 'sbin'];
const NO_CAPABILITIES = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];

export interface ContainerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly workdir: string;
  /** `UID:GID`, without capabilities. Default: root. */
  readonly user?: string;
  /** Whether only volumes are writable. */
  readonly readOnly?: boolean;
  /** Host folders by mount point. */
  readonly volumes?: Readonly<Record<string, string>>;
}

/** Returns the reason why containers can't be emulated on this machine, or `false`. */
export async function getContainerSkipReason(): Promise<string | false> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'requires root on Linux';
  const { code, stdout, stderr } = await run('unshare', [
    '--mount',
    '--pid',
    '--fork',
    'sh',
    '-c',
    'command -v npm setpriv',
  ]);
  if (code !== 0) return `can't create namespaces: ${stderr}`;
  const npm = await realpath(stdout.split('\n')[0] ?? '');
  return npm.startsWith('/usr/') ? false : `requires npm in /usr, but it is ${npm}`;
}

/** Creates a root file system in an empty folder, with mount points for programs and settings of the host. */
export async function createRootFileSystem(root: string): Promise<void> {
  for (const name of ['usr', 'etc', 'dev', 'proc', 'tmp', `.${NODE}`])
    await mkdir(path.join(root, name), { recursive: true });
  for (const name of LINKS) {
    const isLink = (await lstat(`/${name}`)).isSymbolicLink();
    if (!isLink) throw new Error(`/${name} is not a symbolic link to /usr as in Debian`);
    await symlink(await readlink(`/${name}`), path.join(root, name));
  }
}

/** Starts a program as process 1 in new namespaces and this root. Returns its parent process. */
export function startInContainer(
  root: string,
  args: readonly string[],
  { env, workdir, user, readOnly = false, volumes = {} }: ContainerOptions,
): StartedProcess {
  const mounts = [
    'mount --bind "$root" "$root"',
    'mount --bind /usr "$root/usr"',
    'mount -o remount,bind,ro "$root/usr"',
    'mount --rbind /etc "$root/etc"',
    'mount --bind /dev "$root/dev"',
    'mount -t proc proc "$root/proc"',
    `mount --bind "$node" "$root${NODE}"`,
    ...Object.entries(volumes).map(([mountPoint, folder]) => `mount --bind '${folder}' "$root${mountPoint}"`),
    readOnly ? 'mount -o remount,bind,ro "$root"' : '',
  ];
  const [uid, gid] = user?.split(':') ?? [];
  const identity =
    uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...NO_CAPABILITIES];
  const script = ['set -e', ...mounts, 'exec chroot "$root" setpriv "$@"'].join('\n');
  const shell = ['sh', '-c', script, 'sh', ...identity, 'env', '-i', `--chdir=${workdir}`];
  const settings = Object.entries({ ...env, PATH }).map(([name, value]) => `${name}=${value}`);
  const namespaces = ['--mount', '--propagation=private', '--pid', '--fork', '--kill-child'];
  return startProcess('unshare', [...namespaces, ...shell, ...settings, ...args], {
    env: { PATH: process.env.PATH, root, node: path.dirname(process.execPath) },
  });
}

/** Returns the host PID of process 1 of a container that `startInContainer` started. */
export async function findContainerProcess(pid: number): Promise<number> {
  return await until(async () => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return Number(children.trim()) || undefined;
  });
}
