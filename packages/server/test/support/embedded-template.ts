import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { oneAtATime } from './run-cluster.ts';

const run = promisify(execFile);
/** The environment variable with a folder that all test files of a run share. */
const SHARED_FOLDER = 'SLUICE_TEST_SHARED_FOLDER';

export function publishSharedFolder(folder: string): void {
  process.env[SHARED_FOLDER] = folder;
}

/** The folder that all test files of this run share. */
export function sharedFolder(): string {
  const folder = process.env[SHARED_FOLDER];
  if (folder === undefined) throw new Error('this test needs a test run; use npm run test:file -- FILE');
  return folder;
}

/**
 * Creates a new embedded cluster with an empty database in a data directory. The cluster is a copy of a template that
 * the run creates once. Copying takes a tenth of the time that initdb takes.
 */
export async function copyEmbeddedCluster(dataDir: string): Promise<void> {
  const template = path.join(sharedFolder(), 'embedded');
  if (!existsSync(template)) await oneAtATime(template, () => createTemplate(template));
  // PostgreSQL requires that the server user owns the files.
  await run('cp', ['-a', path.join(template, 'postgres'), dataDir]);
}

async function createTemplate(template: string): Promise<void> {
  if (existsSync(template)) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-template-'));
  const { stop } = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
  await stop();
  await rename(folder, template);
}
