import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SLUICE = fileURLToPath(new URL('../../../packages/server/bin/sluice.js', import.meta.url));
const USER = 'demo@localhost';

/** A service of the demo's own, on the embedded database. */
export interface DemoService {
  readonly url: string;
  /** Of a tenant with a subscription, and a user who may manage ingestions and nothing else. */
  readonly apiKey: string;
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Starts `sluice serve` on this data directory, at the address of `HOST` and `PORT`, or any free port. */
export async function startDemoService(dataDir: string): Promise<DemoService> {
  const env = { LOG_LEVEL: 'warn', PORT: '0', ...process.env, SLUICE_DATA_DIR: dataDir };
  const service = spawn(process.execPath, [SLUICE, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(service, 'exit');
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  try {
    const url = await readyAt(service);
    return { url, apiKey: await makeKey(env), ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readyAt({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the service has no standard output');
  for await (const line of createInterface({ input: stdout })) {
    const url = /^Sluice is ready at (\S+)$/.exec(line)?.[1];
    // What else it prints is read and dropped, so that it never waits for us.
    stdout.resume();
    if (url !== undefined) return url;
  }
  throw new Error('the service did not start; its reason stands above');
}

/** The way an operator does it: a tenant, a user who may upload and read, a key. */
async function makeKey(env: NodeJS.ProcessEnv): Promise<string> {
  const sluice = async (...words: string[]): Promise<Record<string, unknown>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [SLUICE, ...words, '--json'], { env });
    return JSON.parse(stdout);
  };
  const { id } = await sluice('tenant', 'create', 'Demo', '--subscription', 'active');
  const tenant = ['--tenant', String(id)];
  await sluice(
    'user',
    'create',
    ...tenant,
    '--email',
    USER,
    '--permissions',
    'manage_ingestions,read_findings',
  );
  const { key } = await sluice('api-key', 'create', ...tenant, '--user', USER);
  return String(key);
}
