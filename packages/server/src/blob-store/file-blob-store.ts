import { access, constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { assertBlobKey, type BlobStore, type BlobWriter } from './blob-store.ts';

/** Keeps blobs as files below a folder, for the eyes of this system user only. */
export class FileBlobStore implements BlobStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async assertUsable(): Promise<void> {
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      await this.check();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(
        `the folder of the blob store cannot be used: ${reason}; see SLUICE_BLOB_STORE`,
        {
          cause: error,
        },
      );
    }
  }

  async check(): Promise<void> {
    await access(this.#root, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  async create(key: string): Promise<BlobWriter> {
    const file = this.#path(key);
    const firstNewFolder = await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    return new FileBlobWriter(file, await open(file, 'wx', 0o600), firstNewFolder);
  }

  async read(key: string, offset: number, length: number): Promise<Buffer> {
    const handle = await open(this.#path(key), 'r');
    try {
      const bytes = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(bytes, 0, length, offset);
      if (bytesRead < length)
        throw new Error(
          `the blob ${key} ends at byte ${offset + bytesRead}, ${length} bytes were expected from ${offset} on`,
        );
      return bytes;
    } finally {
      await handle.close();
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  #path(key: string): string {
    assertBlobKey(key);
    return path.join(this.#root, ...key.split('/'));
  }
}

class FileBlobWriter implements BlobWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #firstNewFolder: string | undefined;

  constructor(file: string, handle: FileHandle, firstNewFolder: string | undefined) {
    this.#file = file;
    this.#handle = handle;
    this.#firstNewFolder = firstNewFolder;
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, written);
      written += bytesWritten;
    }
  }

  async commit(): Promise<void> {
    await this.#handle.sync();
    await this.#handle.close();
    // A file survives only if the folder entry that names it does, and that of every folder made for it.
    const last = path.dirname(this.#firstNewFolder ?? this.#file);
    for (let folder = path.dirname(this.#file); ; folder = path.dirname(folder)) {
      await syncFolder(folder);
      if (folder === last) return;
    }
  }

  async abort(): Promise<void> {
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
