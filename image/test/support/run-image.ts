import type { Ended, StartedProcess } from '../../../packages/server/test/support/process.ts';
import type { Image } from './build-image.ts';
import { insideOf, startInContainer } from './container.ts';

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Folders of this machine by where they are seen; nothing else can be written. */
  readonly volumes?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
}

/** `docker run --read-only IMAGE WORDS`. */
export function startImage(image: Image, words: readonly string[], options: RunOptions): StartedProcess {
  const { root, entrypoint, cmd, workdir, user } = image;
  const { volumes = {}, env } = options;
  return startInContainer(
    root,
    [...(options.entrypoint ?? entrypoint), ...(words.length > 0 ? words : cmd)],
    // Docker looks the home directory up.
    { env: { HOME: '/home/node', ...image.env, ...env }, workdir, user, readOnly: true, volumes },
  );
}

/** Runs a command in the image to its end. */
export async function runImage(image: Image, words: readonly string[], options: RunOptions): Promise<Ended> {
  return await startImage(image, words, options).ended;
}

/** What the health check says of a process that was started with these settings. */
export async function checkHealth(image: Image, options: RunOptions): Promise<Ended> {
  const [program = '', ...words] = image.healthcheck;
  return await runImage(image, words, { ...options, entrypoint: [program] });
}

/** `docker stop`, as far as the process sees it: the signal goes to process 1. Its exit code, and how long it took. */
export async function stopImage(started: StartedProcess): Promise<{ code: number | null; ms: number }> {
  const from = performance.now();
  process.kill(await insideOf(started.pid), 'SIGTERM');
  const { code } = await started.ended;
  return { code, ms: performance.now() - from };
}
