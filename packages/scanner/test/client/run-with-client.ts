import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { KEY } from '../push/support/run-push.ts';

const MODULE = new URL('../../src/client/index.ts', import.meta.url).href;

/**
 * Runs JavaScript code in a separate process in which `client` is connected to the service, and waits for the process to
 * exit.
 */
export async function runWithClient(program: string, service: { readonly url: string }) {
  const options = { apiKey: KEY, baseUrl: service.url, maxRetries: 0, env: {} };
  const source = `import { createIngestionClient } from ${JSON.stringify(MODULE)};
    const client = createIngestionClient(${JSON.stringify(options)});
    ${program}`;
  const started = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code: child.exitCode, stdout, seconds: (performance.now() - started) / 1000 };
}
