import type { Ended, StartedProcess } from '../../../packages/server/test/support/process.ts';
import type { Image } from './build-image.ts';
import { findContainerProcess, startInContainer } from './container.ts';

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Host folders by mount point. Only these are writable. */
  readonly volumes?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
}

/** Starts a container like `docker run --read-only IMAGE ARGS`. */
export function startImage(image: Image, args: readonly string[], options: RunOptions): StartedProcess {
  const { root, entrypoint, cmd, workdir, user } = image;
  const { volumes = {}, env } = options;
  return startInContainer(
    root,
    [...(options.entrypoint ?? entrypoint), ...(args.length > 0 ? args : cmd)],
    // Docker sets HOME from the user database.
    { env: { HOME: '/home/node', ...image.env, ...env }, workdir, user, readOnly: true, volumes },
  );
}

/** Runs a command in the image until it exits. */
export async function runImage(image: Image, args: readonly string[], options: RunOptions): Promise<Ended> {
  return await startImage(image, args, options).ended;
}

/** Runs the health check with the settings of a container. */
export async function checkHealth(image: Image, options: RunOptions): Promise<Ended> {
  const [program = '', ...args] = image.healthcheck;
  return await runImage(image, args, { ...options, entrypoint: [program] });
}

/** Stops a container like `docker stop`, with a signal to process 1. Returns the exit code and the duration. */
export async function stopImage(started: StartedProcess): Promise<{ code: number | null; ms: number }> {
  const start = performance.now();
  process.kill(await findContainerProcess(started.pid), 'SIGTERM');
  const { code } = await started.ended;
  return { code, ms: performance.now() - start };
}
