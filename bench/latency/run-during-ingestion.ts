import { fileURLToPath } from 'node:url';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import type { Sandbox } from '../../packages/server/test/support/sandbox.ts';
import type { Service } from '../../packages/server/test/support/service.ts';

const SCRIPT = fileURLToPath(new URL('./send-load.ts', import.meta.url));

/**
 * Repeats `work` while a new tenant ingests the file, from the first byte sent to the completion of its job. Another
 * process sends the file, so that it does not delay the client of `work`.
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
  if (code !== 0) throw new Error(`The load generator exited with code ${code}: ${stderr}`);
}
