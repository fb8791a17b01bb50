import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmulator } from '@sluice/directory-emulator';
import { nextSteps } from './next-steps.ts';
import { scan } from './scan.ts';
import { startDemoService } from './service.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Starts the service, scans a sample organization, uploads the findings, and serves until it is stopped. */
async function main(): Promise<void> {
  const stopped = stopSignal();
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-demo-'));
  // If the demo runs as root, PostgreSQL runs as another user, who needs permission to traverse this folder.
  await chmod(folder, 0o711);
  const cleanup: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    console.log('Starting Sluice with an embedded PostgreSQL database');
    const service = await startDemoService(path.join(folder, 'data'));
    cleanup.push(() => service.stop());
    console.log('Starting a sample organization with secure and insecure settings\n');
    const emulator = await startEmulator({ organization: 'mixed', role: 'super-admin' });
    cleanup.push(() => emulator.stop());

    const output = path.join(folder, 'output');
    const args = [
      '--push-to-cloud',
      '--wait',
      '--directory-requests-per-second',
      '0',
      '-F',
      'demo',
      '-o',
      output,
    ];
    const credentials = { SCANNER_CLOUD_API_KEY: service.apiKey, SCANNER_CLOUD_API_BASE_URL: service.url };
    await scan(args, { ...emulator.environment(), ...credentials });
    console.log(nextSteps({ url: service.url, apiKey: service.apiKey, output }));
    await Promise.race([stopped, service.ended]);
  } finally {
    for (const step of cleanup.reverse()) await step();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve());
  });
}

try {
  await main();
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
