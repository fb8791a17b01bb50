import { fileURLToPath } from 'node:url';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import type { Sandbox } from '../../packages/server/test/support/sandbox.ts';
import type { Service } from '../../packages/server/test/support/service.ts';

const SCRIPT = fileURLToPath(new URL('./send-load.ts', import.meta.url));

/**
 * Does the work again and again while a new tenant ingests the file, from its first byte sent to the end of its job. The
 * file is sent by another process: the work's own client waits for nothing but its answers.
 */
export async function runDuringIngestion(
  sandbox: Sandbox,
  service: Service,
  file: string,
  work: () => Promise<void>,
): Promise<void> {
  const env = { ...process.env, LOAD_URL: service.url, LOAD_KEY: await createTenantKey(service) };
  const load = sandbox.startProcess(process.execPath, [SCRIPT, file], { env });
  let ended = false;
  const end = load.ended.finally(() => {
    ended = true;
  });
  await load.printed(/sending/);
  while (!ended) await work();
  const { code, stderr } = await end;
  if (code !== 0) throw new Error(`the load ended with exit code ${code}: ${stderr}`);
}
