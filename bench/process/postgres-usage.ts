import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import type { Service } from '../../packages/server/test/support/service.ts';
import { readProcessStat } from './process-stat.ts';
import { readUsage, readWrittenBytes, type Usage } from './usage.ts';

/** Finds the postmaster of a service's PostgreSQL on this machine, which is the parent of each backend. */
export async function findPostmaster({ connect }: Pick<Service, 'connect'>): Promise<number> {
  const client: pg.Client = await connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return (await readProcessStat(rows[0]?.pid ?? 0)).parent;
  } finally {
    await client.end();
  }
}

/** Returns the total usage of a PostgreSQL server: the postmaster, and its terminated and running children. */
export async function postgresUsage(postmaster: number): Promise<Usage> {
  const children = await childrenOf(postmaster);
  const { cpuSeconds, endedChildrenCpuSeconds } = await readProcessStat(postmaster);
  const living = await Promise.all(children.map(usageOfChild));
  return {
    cpuSeconds: living.reduce((sum, each) => sum + each.cpuSeconds, cpuSeconds + endedChildrenCpuSeconds),
    writtenBytes: living.reduce((sum, each) => sum + each.writtenBytes, await readWrittenBytes(postmaster)),
  };
}

/** Returns zero if the child has just terminated; its parent then includes its usage. */
async function usageOfChild(pid: number): Promise<Usage> {
  return (await undefinedIfEnded(readUsage([pid]))) ?? { cpuSeconds: 0, writtenBytes: 0 };
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const stats = await Promise.all(pids.map((pid) => undefinedIfEnded(readProcessStat(pid))));
  return pids.filter((_pid, at) => stats[at]?.parent === parent);
}

/** Returns undefined if the process has terminated. */
async function undefinedIfEnded<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    const hasEnded =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
    if (hasEnded) return undefined;
    throw error;
  }
}
