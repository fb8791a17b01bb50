import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { createBackup, type Report } from '../backup/create-backup.ts';
import type { Manifest } from '../backup/manifest.ts';
import { openBackup, restoreBackup } from '../backup/restore-backup.ts';
import { openRestoreTarget } from '../backup/restore-target.ts';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import { BLOB_STORE_SETTINGS } from '../config/blob-store-settings.ts';
import { type Config, DATABASE_SETTINGS, readConfig } from '../config/config.ts';
import { lowerBackendPriority } from '../db/connect.ts';
import { EmbeddedPostgresError } from '../db/embedded/cluster.ts';
import { openDatabase } from '../db/open-database.ts';
import { asOwner } from '../db/owner-session.ts';
import { codeOf, OperatorError } from '../lib/errors.ts';
import { assertDatabaseExists } from './assert-database-exists.ts';
import { type CliContext, printResult } from './context.ts';
import { jsonOption, parseText } from './options.ts';
import { settingsHelp } from './settings-help.ts';

const SETTINGS = { ...DATABASE_SETTINGS, ...BLOB_STORE_SETTINGS };
const REPORT_MS = 1000;

/** `sluice backup`. */
export function backupCommand(context: CliContext) {
  return new Command('backup')
    .description('back up the database and all stored files')
    .argument('<folder>', 'folder for the backup, which must be new or empty', resolvePath)
    .addOption(jsonOption())
    .addHelpText('after', '\nThe service may be running. Garbage collection waits until the backup ends.')
    .addHelpText('after', settingsHelp(SETTINGS))
    .action(async (folder, { json }) => {
      printResult(context, json, await backUp(folder, readConfig(context.env)));
    });
}

/** `sluice restore`. */
export function restoreCommand(context: CliContext) {
  return new Command('restore')
    .description('restore a backup into an empty database and an empty blob store')
    .argument('<folder>', 'folder that contains the backup', resolvePath)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThe backup is verified before anything is written. Without DATABASE_URL, the embedded database is created.',
    )
    .addHelpText('after', settingsHelp(SETTINGS))
    .action(async (folder, { json }) => {
      printResult(context, json, await restore(folder, readConfig(context.env)));
    });
}

const resolvePath = (folder: string): string => path.resolve(parseText(folder));

/** Writes a backup of the database and all stored files into a new folder. */
async function backUp(folder: string, config: Config): Promise<object> {
  return await untilInterrupted('backup', async (signal) => {
    await assertDatabaseExists(config);
    const blobs = await openBlobStore(config.blobStore);
    const opened = await openDatabase(config, () => undefined);
    try {
      if (opened.database.isDistributed === true)
        throw new OperatorError(
          'a distributed database cannot be backed up with Sluice, because its nodes have no common snapshot; take base backups of all nodes, with restore points of citus_create_restore_point',
        );
      return await asOwner(opened.database.url, 'sluice backup', async (client) => {
        // Requests take priority over the backup.
        if (opened.embedded) await lowerBackendPriority(client);
        const source = { client, blobs, report: reportOnTerminal(), signal };
        return summary(folder, await createBackup(folder, source));
      });
    } finally {
      await opened.close();
    }
  });
}

/** Restores a backup into an empty database and an empty blob store. */
async function restore(folder: string, config: Config): Promise<object> {
  return await untilInterrupted('restore', async (signal) => {
    const report = reportOnTerminal();
    const manifest = await openBackup(folder, { report, signal });
    const blobs = await openBlobStore(config.blobStore);
    const target = await openRestoreTarget(config, () => undefined);
    try {
      await asOwner(target.url, 'sluice restore', (client) =>
        restoreBackup(folder, manifest, { client, blobs, report, signal }),
      );
      return summary(folder, manifest);
    } finally {
      await target.close();
    }
  });
}

function summary(folder: string, { created_at, tables, blobs }: Manifest): object {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    folder,
    created_at,
    rows: sum(tables.map(({ rows }) => rows)),
    findings: tables.find(({ name }) => name === 'findings')?.rows ?? 0,
    blobs: blobs.count,
    missing_blobs: blobs.missing,
    bytes: sum([...tables.map(({ bytes }) => bytes), blobs.bytes, blobs.total_bytes]),
  };
}

/** Aborts the work on the first SIGINT or SIGTERM, so that everything it wrote is removed. */
async function untilInterrupted<Result>(
  operation: 'backup' | 'restore',
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted)
      throw new OperatorError(`the ${operation} was interrupted; everything it wrote has been removed`, {
        cause: error,
      });
    if (error instanceof Error && isEnvironmentError(error))
      throw new OperatorError(
        `the ${operation} failed: ${error.message}; everything it wrote has been removed`,
        { cause: error },
      );
    throw error;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** A full disk, a stopped database or an unavailable blob store is not a bug, so no stack trace is printed. */
function isEnvironmentError(error: Error): boolean {
  if (error instanceof EmbeddedPostgresError) return false;
  return codeOf(error) !== undefined || /^Connection terminated/.test(error.message);
}

/** Writes at most one line per second to stderr if it is a terminal, otherwise nothing. */
function reportOnTerminal(): Report {
  if (!process.stderr.isTTY) return () => undefined;
  let lastAt = 0;
  return (message) => {
    const now = performance.now();
    if (now - lastAt < REPORT_MS) return;
    lastAt = now;
    process.stderr.write(`${message}\n`);
  };
}
