import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { databaseOf, operatorOf, withPool } from '../support/administration.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { settings, type TenantService } from '../support/service.ts';
import { RECORDED_CALLS } from './recording.ts';
import { readSystemCalls, type SystemCall } from './system-calls.ts';

export const BIN = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
/** Prevents strings in the trace from being truncated. */
const LONGEST_STRING = 2 ** 24;

/** An API process whose system calls are recorded. Its data directory does not exist before it starts. */
export interface RecordedService extends TenantService {
  readonly databaseUrl: string;
  /** The parent folder of the data directory, empty before the start. */
  readonly folder: string;
  /** Stops the process with SIGTERM. Resolves with all system calls. */
  readonly stop: () => Promise<readonly SystemCall[]>;
  readonly dropDatabase: () => Promise<void>;
}

/** The reason why system calls cannot be recorded on this machine, if any. */
export function whyRecordingIsUnavailable(): string | undefined {
  const { status, stderr, error } = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `requires strace: ${error?.message ?? stderr.trim()}`;
}

export async function startRecordedService(sandbox: Sandbox): Promise<RecordedService> {
  const folder = await sandbox.newDataDir();
  const trace = path.join(await sandbox.newDataDir(), 'trace');
  const dataDir = path.join(folder, 'data');
  const databaseUrl = await createMigratedDatabase();
  const tenant = await withPool(databaseOf(databaseUrl), createFirstTenant);
  const env = settings(dataDir, { DATABASE_URL: databaseUrl });
  // With -D, the tracer is not the parent of the service, so signals reach the service and the exit code is that of the
  // service.
  const options = ['-D', '-f', '--seccomp-bpf', '-qqq', '-xx', '-s', String(LONGEST_STRING), '-o', trace];
  // With the question mark, strace ignores older calls that some architectures lack.
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
    ...operatorOf(env, async () => databaseOf(databaseUrl)),
    databaseUrl,
    folder,
    stop: async () => {
      service.signal('SIGTERM');
      // The tracer shares the output, which is therefore complete only when both the service and the tracer have
      // exited.
      const { code, stderr } = await service.ended;
      if (code !== 0) throw new Error(`the recorded service exited with ${code}: ${stderr}`);
      return readSystemCalls(await readFile(trace, 'latin1'));
    },
    dropDatabase: () => dropDatabase(databaseUrl),
  };
}
