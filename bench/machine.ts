import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { findServerBinaries } from '../packages/server/src/db/embedded/server-binaries.ts';

/** The machine and software versions of a run. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly node: string;
  readonly postgresql: string;
  readonly commit: string;
}

/** Reads the properties of this machine; `postgresql` is the version of the embedded PostgreSQL. */
export async function readMachine(): Promise<Machine> {
  const { postgres } = await findServerBinaries();
  const [postgresql = '?'] =
    /\d+(\.\d+)+/.exec(execFileSync(postgres, ['--version'], { encoding: 'utf8' })) ?? [];
  const [cpu] = cpus();
  return {
    cores: cpus().length,
    processor: cpu?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgresql,
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
  };
}

/** Describes the machine and software versions in one line. */
export function describeMachine({ cores, processor, memoryGiB, node, postgresql, commit }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGiB} GiB, Node ${node}, PostgreSQL ${postgresql}, commit ${commit}`;
}
