import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder in the system's temporary directory, which nobody else can read. */
export interface TemporaryFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-push-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
