import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../lib/durable-folder.ts';
import { codeOf } from '../lib/error-code.ts';
import { OperatorError } from '../lib/operator-error.ts';

export const MANIFEST_FILE = 'manifest.json';
/** One line per blob: its key, size and checksum. */
export const BLOB_LIST_FILE = 'blobs.jsonl';
/** Lists the blobs that the snapshot refers to. Removed after the blobs are copied. */
export const REFERENCES_FILE = 'blob-references.jsonl';
const TABLES_FOLDER = 'tables';
const BLOBS_FOLDER = 'blobs';

/** The folder that contains a backup's blobs. */
export function blobsIn(folder: string): string {
  return path.join(folder, BLOBS_FOLDER);
}

/** A backup that is being written. Files have mode 600, folders 700. */
export class BackupFolder {
  readonly path: string;
  readonly #existed: boolean;

  private constructor(folder: string, existed: boolean) {
    this.path = folder;
    this.#existed = existed;
  }

  /** Throws an OperatorError if the folder is not empty or cannot be created. */
  static async create(folder: string): Promise<BackupFolder> {
    try {
      const created = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (created === undefined && (await readdir(folder)).length > 0)
        throw new OperatorError(`${folder} is not empty; choose a new folder for the backup`);
      const backup = new BackupFolder(folder, created === undefined);
      for (const inner of [TABLES_FOLDER, BLOBS_FOLDER]) await mkdir(backup.file(inner), { mode: 0o700 });
      return backup;
    } catch (error) {
      if (error instanceof OperatorError || !(error instanceof Error)) throw error;
      throw new OperatorError(`cannot write a backup to ${folder}: ${error.message}`, { cause: error });
    }
  }

  /** Returns the path of a file in the backup. */
  file(name: string): string {
    return path.join(this.path, name);
  }

  /** Returns the name of a table's file, as listed in the manifest. */
  tableFile(table: string): string {
    return `${TABLES_FOLDER}/${table}.copy.zst`;
  }

  /** Writes a file atomically: after a power failure, it is either complete or absent. */
  async writeDurably(name: string, text: string): Promise<void> {
    for (const folder of [TABLES_FOLDER, BLOBS_FOLDER, '.']) await flushEntries(this.file(folder));
    const unfinished = this.file(`${name}.part`);
    await using handle = await open(unfinished, 'wx', 0o600);
    await handle.writeFile(text);
    await handle.sync();
    await rename(unfinished, this.file(name));
    await flushEntries(this.path);
    await flushEntries(path.dirname(path.resolve(this.path)));
  }

  async remove(name: string): Promise<void> {
    await rm(this.file(name));
  }

  /** Removes everything that was written. */
  async discard(): Promise<void> {
    if (!this.#existed) return await rm(this.path, { recursive: true, force: true });
    for (const name of await readdir(this.path)) await rm(this.file(name), { recursive: true, force: true });
  }
}

async function flushEntries(folder: string): Promise<void> {
  await syncFolder(folder).catch((error: unknown) => {
    // Some network file systems cannot flush folders.
    if (codeOf(error) !== 'EINVAL') throw error;
  });
}
