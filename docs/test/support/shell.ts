import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

interface ShellResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A shell that runs blocks of commands one after another, and keeps variables and the current folder. */
export interface Shell {
  readonly run: (commands: string) => Promise<ShellResult>;
  readonly close: () => void;
}

export function openShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
  const child = spawn('bash', ['--norc', '--noprofile'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return {
    run: async (commands) => {
      const end = randomUUID();
      output.stdout = '';
      output.stderr = '';
      const ended = new Promise<ShellResult>((resolve, reject) => {
        const read = () => {
          const [, stdout, code] = new RegExp(`^([\\s\\S]*)${end} (\\d+)\n$`).exec(output.stdout) ?? [];
          if (stdout === undefined) return;
          child.stdout.off('data', read);
          child.off('exit', leave);
          resolve({ code: Number(code), stdout, stderr: output.stderr });
        };
        const leave = () => reject(new Error(`the shell exited: ${output.stderr}`));
        child.stdout.on('data', read);
        child.once('exit', leave);
      });
      // A failed command must not be hidden by the commands after it.
      child.stdin.write(
        `failed=0; trap 'failed=$?' ERR\n${commands}\ntrap - ERR; printf '%s %d\\n' ${end} "$failed"\n`,
      );
      return await ended;
    },
    close: () => child.kill('SIGKILL'),
  };
}
