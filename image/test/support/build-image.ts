import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../../packages/server/test/support/process.ts';
import { copyBuildContext } from './build-context.ts';
import { createRootFileSystem, startInContainer } from './container.ts';
import {
  argumentOf,
  type DockerfileName,
  type Instruction,
  readDockerfile,
  type Stage,
} from './dockerfile.ts';

/** An image built without Docker: a root file system and the configuration of its containers. */
export interface Image {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly healthcheck: readonly string[];
  readonly remove: () => Promise<void>;
}

/**
 * Executes the instructions of a Dockerfile with the given build arguments. The host's Debian and Node replace the base
 * image.
 */
export async function buildImage(
  name: DockerfileName = 'Dockerfile',
  buildArguments: Readonly<Record<string, string>> = {},
): Promise<Image> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-image-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const context = path.join(folder, 'context');
    await copyBuildContext(context, name);
    const roots = new Map<string | undefined, string>([[undefined, context]]);
    const stages = await readDockerfile(name);
    for (const [index, stage] of stages.entries()) {
      const root = path.join(folder, `stage-${index}`);
      await createRootFileSystem(root);
      await executeStage(stage, root, roots, buildArguments);
      roots.set(stage.name ?? 'image', root);
    }
    const final = stages.at(-1)?.instructions ?? [];
    const argsOf = (keyword: string) => final.findLast((each) => each.keyword === keyword)?.args ?? [];
    return {
      root: roots.get('image') ?? '',
      env: Object.fromEntries(final.filter(({ keyword }) => keyword === 'ENV').flatMap(settingsOf)),
      workdir: argsOf('WORKDIR').join(),
      user: argsOf('USER').join(),
      entrypoint: argsOf('ENTRYPOINT'),
      cmd: argsOf('CMD'),
      healthcheck: healthcheckOf(final),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

export function settingsOf({ args }: Instruction): [string, string][] {
  return args.map((setting) => [
    setting.slice(0, setting.indexOf('=')),
    setting.slice(setting.indexOf('=') + 1),
  ]);
}

/** Returns the command of `HEALTHCHECK ... CMD [...]`. */
export function healthcheckOf(instructions: readonly Instruction[]): string[] {
  const check = instructions.find(({ keyword }) => keyword === 'HEALTHCHECK');
  return check === undefined ? [] : JSON.parse(check.text.replace(/^CMD /, ''));
}

async function executeStage(
  { instructions }: Stage,
  root: string,
  roots: ReadonlyMap<string | undefined, string>,
  buildArguments: Readonly<Record<string, string>>,
): Promise<void> {
  let workdir = '/';
  const env: Record<string, string> = {};
  for (const instruction of instructions) {
    const { keyword, args, flags, text } = instruction;
    if (keyword === 'ARG') {
      const name = /^\w+/.exec(text)?.[0] ?? '';
      Object.assign(env, argumentOf(instruction), name in buildArguments && { [name]: buildArguments[name] });
    } else if (keyword === 'WORKDIR') {
      workdir = args.join();
      await mkdir(path.join(root, workdir), { recursive: true });
    } else if (keyword === 'COPY') {
      const to = args.at(-1) ?? '';
      const from = roots.get(flags.from) ?? '';
      for (const source of args.slice(0, -1)) {
        const name = to.endsWith('/') ? path.join(to, path.basename(source)) : to;
        await cp(path.join(from, source), path.join(root, path.resolve(workdir, name)), {
          recursive: true,
          verbatimSymlinks: true,
        });
      }
    } else if (keyword === 'RUN') await runIn(root, workdir, text, env);
  }
}

/** Executes a RUN instruction with the host's npm cache, so that nothing is downloaded. */
async function runIn(
  root: string,
  workdir: string,
  text: string,
  buildEnvironment: Readonly<Record<string, string>>,
): Promise<void> {
  const { stdout } = await run('npm', ['config', 'get', 'cache'], { env: process.env });
  const cache = stdout.trim();
  await mkdir(path.join(root, 'npm-cache'), { recursive: true });
  const { output, ended } = startInContainer(root, ['sh', '-c', text], {
    env: {
      ...networkSettings(),
      ...buildEnvironment,
      HOME: '/tmp',
      npm_config_cache: '/npm-cache',
      npm_config_prefer_offline: 'true',
    },
    workdir,
    volumes: { '/npm-cache': cache },
  });
  const { code } = await ended;
  await rm(path.join(root, 'npm-cache'), { recursive: true });
  if (code !== 0) throw new Error(`RUN ${text} exited with ${code}:\n${output.stdout}\n${output.stderr}`);
}

function networkSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /proxy|certs|registry|ssl_/i.test(name)),
  );
}
