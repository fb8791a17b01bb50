import { spawn } from 'node:child_process';

/** A system user to run a command as; Node.js drops the supplementary groups with it. */
export interface SystemUser {
  uid: number;
  gid: number;
  /** How to call this user in a message. */
  name: string;
}

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
  user: SystemUser | undefined,
): Promise<CommandResult> {
  return await new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
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
