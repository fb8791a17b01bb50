import { spawn } from 'node:child_process';

/** A system user to run a command as; Node.js drops the supplementary groups with it. */
export interface SystemUser {
  uid: number;
  gid: number;
  /** How to call this user in a message. */
  name: string;
}

/**
 * `mapped`: the current user, in a user namespace (user_namespaces(7)) that maps it to `nobody`. The command sees a uid that
 * is not 0 and has a name, and keeps the access rights of the current user.
 */
export type ServerUser = SystemUser | 'mapped';

const NOBODY = 65534;

export interface CommandResult {
  /** undefined when a signal ended the command. */
  exitCode: number | undefined;
  /** stdout and stderr, in the order they came. */
  output: string;
}

/**
 * Runs a command to its end and collects what it prints. Rejects only when it could not be started.
 *
 * It runs in a session of its own, so that Ctrl-C in our terminal does not break it off half way, and with a
 * bare environment: no PG* variable may steer it, and a postmaster that outlives us keeps none of our secrets.
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  user: ServerUser | undefined,
): Promise<CommandResult> {
  const words =
    user === 'mapped'
      ? ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--', file, ...args]
      : [file, ...args];
  const [program = file, ...rest] = words;
  return await new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined || user === 'mapped' ? {} : { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    const collect = (text: string) => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? undefined, output: output.trim() }));
  });
}

/** Whether commands can run as `mapped`: containers and hardened systems may forbid user namespaces. */
export async function canMapUser(): Promise<boolean> {
  const tried = await runCommand('true', [], 'mapped').catch((error: unknown) => ({
    exitCode: undefined,
    output: String(error),
  }));
  return tried.exitCode === 0;
}
