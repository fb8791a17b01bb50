import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** One line on what the numbers were measured on. */
export function describeMachine(postgresVersion: string): string {
  const [cpu] = cpus();
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpus().length} cores (${cpu?.model.trim()}), ${memory}, Node ${process.version}, PostgreSQL ${postgresVersion}, commit ${commit}`;
}
