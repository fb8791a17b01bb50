import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Signals that are sent only to this process, not to the process group. */
const FORWARDED = ['SIGTERM', 'SIGHUP'];

/** Runs a command from the checkout with the Node version that `npm ci` installs. Returns the exit code. */
export async function runWithInstalledNode(command, args) {
  const child = spawn(installedNode(command), args, { stdio: 'inherit' });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  // A terminal sends SIGINT to both processes. This one waits for the child to exit.
  process.on('SIGINT', () => {});
  const [code, signal] = await once(child, 'exit');
  if (signal === null) return code;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  return 1;
}

function installedNode(command) {
  try {
    return path.join(
      path.dirname(createRequire(import.meta.url).resolve('node/package.json')),
      'bin',
      'node',
    );
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.error(
      `In a checkout, ${command} requires Node 24, but this is ${process.version}. Run npm ci to install it.`,
    );
    process.exit(1);
  }
}
