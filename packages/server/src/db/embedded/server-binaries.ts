import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { ensureLibraryLinks } from './library-links.ts';
import { runCommand } from './run-command.ts';

export interface ServerBinaries {
  pgCtl: string;
  initdb: string;
  postgres: string;
  /** In the format of a cluster's PG_VERSION file. */
  majorVersion: string;
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
