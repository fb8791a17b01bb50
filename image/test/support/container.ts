import { lstat, mkdir, readFile, readlink, realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { run, type StartedProcess, startProcess } from '../../../packages/server/test/support/process.ts';
import { until } from '../../../packages/server/test/support/until.ts';

/** Where the base image has Node, and this machine's Node is seen. */
const NODE = '/opt/node/bin';
export const PATH = `${NODE}:/usr/local/bin:/usr/bin:/bin`;
const LINKS = ['bin', 'lib', 'lib64', 'sbin'];
const NO_CAPABILITIES = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];

export interface ContainerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly workdir: string;
  /** `UID:GID`, with no capabilities; without it root. */
  readonly user?: string;
  /** Whether nothing can be written below the root but volumes. */
  readonly readOnly?: boolean;
  /** Folders of this machine by where they are seen. */
  readonly volumes?: Readonly<Record<string, string>>;
}

/** Why no file system can be put together here as a container has it; `false` where it can. */
export async function whyNoContainers(): Promise<string | false> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const { code, stdout, stderr } = await run('unshare', [
    '--mount',
    '--pid',
    '--fork',
    'sh',
    '-c',
    'command -v npm setpriv',
  ]);
  if (code !== 0) return `no name spaces can be made here: ${stderr}`;
  const npm = await realpath(stdout.split('\n')[0] ?? '');
  return npm.startsWith('/usr/') ? false : `npm is not below /usr, but ${npm}`;
}

/** Lays out a root file system in an empty folder: programs and settings of this machine will be mounted into it. */
export async function layOutRoot(root: string): Promise<void> {
  for (const name of ['usr', 'etc', 'dev', 'proc', 'tmp', `.${NODE}`])
    await mkdir(path.join(root, name), { recursive: true });
  for (const name of LINKS) {
    const isLink = (await lstat(`/${name}`)).isSymbolicLink();
    if (!isLink) throw new Error(`/${name} is no link into /usr, as Debian has it`);
    await symlink(await readlink(`/${name}`), path.join(root, name));
  }
}

/** Starts a program as process 1 of its own world below this root. The process that is told of is its parent. */
export function startInContainer(
  root: string,
  words: readonly string[],
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
    ...Object.entries(volumes).map(([at, folder]) => `mount --bind '${folder}' "$root${at}"`),
    readOnly ? 'mount -o remount,bind,ro "$root"' : '',
  ];
  const [uid, gid] = user?.split(':') ?? [];
  const identity =
    uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...NO_CAPABILITIES];
  const script = ['set -e', ...mounts, 'exec chroot "$root" setpriv "$@"'].join('\n');
  const shell = ['sh', '-c', script, 'sh', ...identity, 'env', '-i', `--chdir=${workdir}`];
  const settings = Object.entries({ ...env, PATH }).map(([name, value]) => `${name}=${value}`);
  const space = ['--mount', '--propagation=private', '--pid', '--fork', '--kill-child'];
  return startProcess('unshare', [...space, ...shell, ...settings, ...words], {
    env: { PATH: process.env.PATH, root, node: path.dirname(process.execPath) },
  });
}

/** The process id, here, of the process that `startInContainer` has started inside. */
export async function insideOf(pid: number): Promise<number> {
  return await until(async () => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return Number(children.trim()) || undefined;
  });
}
