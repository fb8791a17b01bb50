import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder in the temporary directory that is readable only by its owner. */
export interface TemporaryFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-push-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
