import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-code.ts';
import { KEY_FOLDERS } from './blob-key.ts';
import type { StoredBlob } from './blob-store.ts';

/**
 * The files below a folder that lie where blobs can; what goes meanwhile, the folder itself included, is not there. Other
 * folders are not looked into: a disk's `lost+found` may not be read.
 */
export async function* listFiles(
  root: string,
  signal?: AbortSignal,
  folders: readonly string[] = [],
): AsyncGenerator<StoredBlob, void> {
  const entries = await unlessGone(opendir(path.join(root, ...folders)));
  if (entries === undefined) return;
  const inner = KEY_FOLDERS[folders.length];
  for await (const entry of entries) {
    signal?.throwIfAborted();
    const names = [...folders, entry.name];
    if (entry.isDirectory() && inner?.test(entry.name) === true) yield* listFiles(root, signal, names);
    if (!entry.isFile()) continue;
    const file = await unlessGone(stat(path.join(root, ...names)));
    if (file !== undefined) yield { key: names.join('/'), bytes: file.size, modifiedAt: file.mtime };
  }
}

async function unlessGone<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
