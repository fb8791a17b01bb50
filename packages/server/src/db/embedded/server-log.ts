import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../lib/error-code.ts';
import type { ClusterPaths } from './cluster.ts';

const tailLines = 12;
const sixDaysMs = 6 * 24 * 60 * 60 * 1000;

/**
 * Limits the server's log to a week. PostgreSQL truncates each weekday's file at the start of that day, but only while
 * it is running. This function removes older files and the output of the previous start. Call it only when no
 * postmaster is running.
 */
export async function pruneServerLog(paths: ClusterPaths): Promise<void> {
  await rm(paths.startLog, { force: true });
  for (const file of await listLogFiles(paths)) {
    if (Date.now() - file.writtenAtMs > sixDaysMs) await rm(file.path, { force: true });
  }
}

/** Returns the last lines of the server's log, which explain a failed start. May be empty. */
export async function readServerLogTail(paths: ClusterPaths): Promise<string> {
  const newestFirst = (await listLogFiles(paths)).sort((a, b) => b.writtenAtMs - a.writtenAtMs);
  const files = [paths.startLog, ...newestFirst.slice(0, 1).map((file) => file.path)];
  const texts = await Promise.all(files.map(readIfExists));
  return texts
    .flatMap((text) => text.trimEnd().split('\n').slice(-tailLines))
    .filter((line) => line !== '')
    .join('\n');
}

async function listLogFiles(paths: ClusterPaths): Promise<{ path: string; writtenAtMs: number }[]> {
  const names = await readdir(paths.logFolder).catch(whenMissing<string[]>([]));
  // This code may run as root in another user's folder, so only the server's own files are touched.
  const logs = names
    .filter((name) => /^server-\w+\.log$/.test(name))
    .map((name) => join(paths.logFolder, name));
  const files = await Promise.all(
    logs.map(async (path) => {
      // Another process may have removed it in the meantime.
      const found = await stat(path).catch(whenMissing(undefined));
      return found === undefined ? [] : [{ path, writtenAtMs: found.mtimeMs }];
    }),
  );
  return files.flat();
}

async function readIfExists(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(whenMissing(''));
}

function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}
