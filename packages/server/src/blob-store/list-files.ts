import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../error-code.ts';
import type { StoredBlob } from './blob-store.ts';

/** All files below a folder; what goes meanwhile, the folder itself included, is not there. */
export async function* listFiles(
  root: string,
  signal?: AbortSignal,
  prefix = '',
): AsyncGenerator<StoredBlob, void> {
  const entries = await unlessGone(opendir(path.join(root, prefix)));
  if (entries === undefined) return;
  for await (const entry of entries) {
    signal?.throwIfAborted();
    const key = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* listFiles(root, signal, `${key}/`);
    if (!entry.isFile()) continue;
    const file = await unlessGone(stat(path.join(root, key)));
    if (file !== undefined) yield { key, bytes: file.size, modifiedAt: file.mtime };
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
