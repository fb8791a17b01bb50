import { mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from './install-once.ts';
import { type Ended, run } from './process.ts';

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const CACHE = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'sluice',
  'previous-release',
);

/** The previous release, installed in a separate folder. */
export interface PreviousRelease {
  readonly commit: string;
  /** The path of its `sluice` script. */
  readonly bin: string;
}

/**
 * Installs the commit of `.ci/previous-release` once, from this clone; later calls use the cache. Resolves with the
 * reason if the release cannot be installed, for example in a clone without that commit.
 */
export async function installPreviousRelease(): Promise<PreviousRelease | string> {
  const commit = (await readFile(path.join(CHECKOUT, '.ci/previous-release'), 'utf8')).trim();
  const folder = path.join(CACHE, commit);
  const installed = { commit, bin: path.join(folder, 'packages/server/bin/sluice.js') };
  return (await installOnce(folder, async (building) => await install(commit, building))) ?? installed;
}

/** Installs the commit in a new folder. Resolves with the reason if that fails. */
async function install(commit: string, folder: string): Promise<string | undefined> {
  const commitCheck = await run('git', ['-C', CHECKOUT, 'cat-file', '-e', `${commit}^{commit}`]);
  if (commitCheck.code !== 0) return `this clone lacks the previous release, commit ${commit}`;
  const archive = `${folder}.tar`;
  await mkdir(folder);
  try {
    const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    const fault =
      failureOf(
        'git archive',
        await run('git', ['-C', CHECKOUT, 'archive', `--output=${archive}`, commit]),
      ) ??
      failureOf('tar', await run('tar', ['-xf', archive, '-C', folder])) ??
      failureOf('npm ci', await run('npm', args, { cwd: folder }));
    return fault && `the previous release cannot be installed: ${fault}`;
  } finally {
    await rm(archive, { force: true });
  }
}

function failureOf(program: string, { code, stderr }: Ended): string | undefined {
  return code === 0 ? undefined : `${program} ended with ${code}: ${stderr.trim().split('\n').at(-1)}`;
}
