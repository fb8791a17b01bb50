import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hashContent } from './content-hash.ts';
import { PushError } from './push-error.ts';
import { readBytes } from './read-bytes.ts';

/** The state of a file when it was first read. */
export interface UploadFile {
  readonly path: string;
  /** The file name to send to the service. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly compressed: boolean;
  /** SHA-256, in hexadecimal, of the decompressed content. */
  readonly sha256: string;
}

/** Reads a file once, in constant memory. Throws a PushError with the code `file_unreadable` or `file_empty`. */
export async function readUploadFile(path: string, name = basename(path)): Promise<UploadFile> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new PushError('file_unreadable', `${path} is a folder; specify its files`);
    const content = await hashContent(readBytes(path));
    if (content.bytes === 0) throw new PushError('file_empty', `${path} is empty`);
    return { path, name, modifiedMs: stats.mtimeMs, ...content };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Throws a PushError with the code `file_changed` if the file has changed, or `file_unreadable` if it can no longer be
 * read.
 */
export async function assertUnchanged({ path, bytes, modifiedMs }: UploadFile): Promise<void> {
  const now = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (now.size !== bytes || now.mtimeMs !== modifiedMs)
    throw new PushError('file_changed', `${path} changed during the push; push it again when it is complete`);
}

/** Converts a file-system error to a PushError; returns any other error unchanged. */
export function unreadable(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new PushError('file_unreadable', `${path} cannot be read: ${error.message}`, { cause: error });
}
