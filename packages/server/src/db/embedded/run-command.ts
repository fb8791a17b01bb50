import { spawn } from 'node:child_process';

/** A system user to run a command as, without supplementary groups. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
  /** Name of this user for messages. */
  readonly name: string;
}

/**
 * `mapped`: the current user, in a user namespace (user_namespaces(7)) that maps it to `nobody`. The command sees a uid
 * other than 0 that has a name, and keeps the access rights of the current user.
 */
export type ServerUser = SystemUser | 'mapped';

export interface CommandResult {
  /** `undefined` if a signal ended the command. */
  readonly exitCode: number | undefined;
  /** stdout and stderr, in the order in which they were received. */
  readonly output: string;
}

const NOBODY = 65534;

/**
 * Runs a command and collects its output. Rejects only if it cannot be started.
 *
 * It runs in its own session, so that Ctrl-C in the terminal does not interrupt it, and with a minimal environment: no
 * PG* variable affects it, and a postmaster that outlives this process does not keep its secrets.
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  user: ServerUser | undefined,
): Promise<CommandResult> {
  const command =
    user === 'mapped'
      ? ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--', file, ...args]
      : [file, ...args];
  const [program = file, ...rest] = command;
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
  const result = await runCommand('true', [], 'mapped').catch((error: unknown) => ({
    exitCode: undefined,
    output: String(error),
  }));
  return result.exitCode === 0;
}
