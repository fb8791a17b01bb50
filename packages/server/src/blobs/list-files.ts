import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../lib/error-code.ts';
import { KEY_FOLDERS } from './blob-key.ts';
import type { StoredBlob } from './blob-store.ts';

/**
 * Lists the files below a folder at paths where blobs can be stored. Omits files and folders that are removed in the
 * meantime. Skips other folders, such as a disk's `lost+found`, which may be unreadable.
 */
export async function* listFiles(
  root: string,
  signal?: AbortSignal,
  folders: readonly string[] = [],
): AsyncGenerator<StoredBlob, void> {
  const entries = await ifExists(opendir(path.join(root, ...folders)));
  if (entries === undefined) return;
  const inner = KEY_FOLDERS[folders.length];
  for await (const entry of entries) {
    signal?.throwIfAborted();
    const names = [...folders, entry.name];
    if (entry.isDirectory() && inner?.test(entry.name) === true) yield* listFiles(root, signal, names);
    if (!entry.isFile()) continue;
    const file = await ifExists(stat(path.join(root, ...names)));
    if (file !== undefined) yield { key: names.join('/'), bytes: file.size, modifiedAt: file.mtime };
  }
}

async function ifExists<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
