import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFirstTenant } from '../../src/first-start.ts';
import { operatorOf, withPool } from '../support/administration.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { settings, type TenantService } from '../support/service.ts';
import { RECORDED_CALLS } from './recording.ts';
import { readSystemCalls, type SystemCall } from './system-calls.ts';

export const BIN = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
/** No string of a trace may be cut off. */
const LONGEST_STRING = 2 ** 24;

/** An API whose system calls are recorded. Its data directory does not exist before its start. */
export interface RecordedService extends TenantService {
  readonly databaseUrl: string;
  /** What its data directory is in: empty before the start. */
  readonly folder: string;
  /** Stops it with SIGTERM; resolves with all its calls. */
  readonly stop: () => Promise<readonly SystemCall[]>;
  readonly dropDatabase: () => Promise<void>;
}

/** Why no system calls can be recorded here, if so. */
export function whyNotRecorded(): string | undefined {
  const { status, stderr, error } = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `strace cannot be used here: ${error?.message ?? stderr.trim()}`;
}

export async function startRecordedService(sandbox: Sandbox): Promise<RecordedService> {
  const folder = await sandbox.newDataDir();
  const trace = path.join(await sandbox.newDataDir(), 'trace');
  const dataDir = path.join(folder, 'data');
  const databaseUrl = await createMigratedDatabase();
  const tenant = await withPool(databaseUrl, createFirstTenant);
  const env = settings(dataDir, { DATABASE_URL: databaseUrl });
  // The tracer is no parent of the service (-D): signals and the exit code are those of the service.
  const options = ['-D', '-f', '--seccomp-bpf', '-qqq', '-xx', '-s', String(LONGEST_STRING), '-o', trace];
  // Some processors lack the older ones, which the question mark allows.
  const names = RECORDED_CALLS.map((name) => `?${name}`).join(',');
  const service = sandbox.startProcess(
    'strace',
    [...options, '-e', `trace=${names}`, process.execPath, BIN, 'serve', '--role', 'api'],
    { env },
  );
  const [, url = ''] = await service.printed(/ready at (\S+)/);
  return {
    url,
    ...tenant,
    dataDir,
    output: service.output,
    ...operatorOf(env, async () => databaseUrl),
    databaseUrl,
    folder,
    stop: async () => {
      service.signal('SIGTERM');
      // The tracer has the same output: both have ended.
      const { code, stderr } = await service.ended;
      if (code !== 0) throw new Error(`the recorded service ended with ${code}: ${stderr}`);
      return readSystemCalls(await readFile(trace, 'latin1'));
    },
    dropDatabase: () => dropDatabase(databaseUrl),
  };
}
