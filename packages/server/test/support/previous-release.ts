import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
  if (existsSync(folder)) return installed;
  const commitCheck = await run('git', ['-C', CHECKOUT, 'cat-file', '-e', `${commit}^{commit}`]);
  if (commitCheck.code !== 0) return `this clone lacks the previous release, commit ${commit}`;
  const building = `${folder}.${process.pid}`;
  const archive = `${building}.tar`;
  await mkdir(building, { recursive: true });
  try {
    const install = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    const fault =
      failureOf(
        'git archive',
        await run('git', ['-C', CHECKOUT, 'archive', `--output=${archive}`, commit]),
      ) ??
      failureOf('tar', await run('tar', ['-xf', archive, '-C', building])) ??
      failureOf('npm ci', await run('npm', install, { cwd: building }));
    if (fault !== undefined) return `the previous release cannot be installed: ${fault}`;
    // Another run may have installed the release in the meantime.
    if (!existsSync(folder)) await rename(building, folder);
    return installed;
  } finally {
    await rm(building, { recursive: true, force: true });
    await rm(archive, { force: true });
  }
}

function failureOf(program: string, { code, stderr }: Ended): string | undefined {
  return code === 0 ? undefined : `${program} ended with ${code}: ${stderr.trim().split('\n').at(-1)}`;
}
