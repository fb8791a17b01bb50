import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SLUICE = fileURLToPath(new URL('../../../packages/server/bin/sluice.js', import.meta.url));
const USER = 'demo@localhost';

/** A `sluice serve` process with an embedded database. */
export interface DemoService {
  readonly url: string;
  /** Belongs to a user who can manage ingestions and read findings, in a tenant with an active subscription. */
  readonly apiKey: string;
  /** Resolves when the process exits for any reason. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Starts `sluice serve` on this data directory. It listens on `HOST` and `PORT`, by default on any free port. */
export async function startDemoService(dataDir: string): Promise<DemoService> {
  const env = { LOG_LEVEL: 'warn', PORT: '0', ...process.env, SLUICE_DATA_DIR: dataDir };
  const service = spawn(process.execPath, [SLUICE, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(service, 'exit');
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  try {
    const url = await waitUntilReady(service);
    return { url, apiKey: await createApiKey(env), ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the URL of the service. */
async function waitUntilReady({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The service has no standard output.');
  for await (const line of createInterface({ input: stdout })) {
    const url = /^Sluice is ready at (\S+)$/.exec(line)?.[1];
    // Drain the output, so that the service never blocks on a full pipe.
    stdout.resume();
    if (url !== undefined) return url;
  }
  throw new Error('The service did not start. See the errors above.');
}

/** Creates a tenant, a user who can upload and read, and an API key, with the admin commands. */
async function createApiKey(env: NodeJS.ProcessEnv): Promise<string> {
  const sluice = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [SLUICE, ...args, '--json'], { env });
    return JSON.parse(stdout);
  };
  const { id } = await sluice('tenant', 'create', 'Demo', '--subscription', 'active');
  const tenantFlag = ['--tenant', String(id)];
  await sluice(
    'user',
    'create',
    ...tenantFlag,
    '--email',
    USER,
    '--permissions',
    'manage_ingestions,read_findings',
  );
  const { key } = await sluice('api-key', 'create', ...tenantFlag, '--user', USER);
  return String(key);
}
