import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../error-code.ts';
import type { ClusterPaths } from './cluster.ts';

const tailLines = 12;
const sixDaysMs = 6 * 24 * 60 * 60 * 1000;

/**
 * Keeps the server's log to a week. PostgreSQL empties the file of a weekday when that day begins, but only when
 * it runs just then; this removes what it missed, and what the last start printed. Call it when no postmaster
 * runs.
 */
export async function pruneServerLog(paths: ClusterPaths): Promise<void> {
  await rm(paths.startLog, { force: true });
  for (const file of await listLogFiles(paths)) {
    if (Date.now() - file.writtenAtMs > sixDaysMs) await rm(file.path, { force: true });
  }
}

/** The last lines that the server wrote, to say why it did not start; empty when it wrote nothing. */
export async function readServerLogTail(paths: ClusterPaths): Promise<string> {
  const newestFirst = (await listLogFiles(paths)).sort((a, b) => b.writtenAtMs - a.writtenAtMs);
  const files = [paths.startLog, ...newestFirst.slice(0, 1).map((file) => file.path)];
  const texts = await Promise.all(files.map(readIfThere));
  return texts
    .flatMap((text) => text.trimEnd().split('\n').slice(-tailLines))
    .filter((line) => line !== '')
    .join('\n');
}

async function listLogFiles(paths: ClusterPaths): Promise<{ path: string; writtenAtMs: number }[]> {
  const names = await readdir(paths.logFolder).catch(whenMissing<string[]>([]));
  // We may be root in a folder of another user: touch nothing but the server's own files.
  const logs = names
    .filter((name) => /^server-\w+\.log$/.test(name))
    .map((name) => join(paths.logFolder, name));
  const files = await Promise.all(
    logs.map(async (path) => {
      // Another start may have removed it since.
      const found = await stat(path).catch(whenMissing(undefined));
      return found === undefined ? [] : [{ path, writtenAtMs: found.mtimeMs }];
    }),
  );
  return files.flat();
}

async function readIfThere(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(whenMissing(''));
}

function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}
