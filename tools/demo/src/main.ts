import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmulator } from '../../../packages/directory-emulator/src/index.ts';
import { scan } from './scan.ts';
import { startDemoService } from './service.ts';
import { whereToLook } from './where-to-look.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The whole product at work: service, organization, scan, push; then it serves until it is stopped. */
async function main(): Promise<void> {
  const stopped = stopSignal();
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-demo-'));
  // Started as root, PostgreSQL runs as another user, who has to be able to come by.
  await chmod(folder, 0o711);
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    console.log('Starting the service, with a PostgreSQL of its own');
    const service = await startDemoService(path.join(folder, 'data'));
    undo.push(() => service.stop());
    console.log('Starting an organization to scan: some settings are good, some are not\n');
    const emulator = await startEmulator({ organization: 'mixed', role: 'super-admin' });
    undo.push(() => emulator.stop());

    const output = path.join(folder, 'output');
    const words = [
      '--push-to-cloud',
      '--wait',
      '--directory-requests-per-second',
      '0',
      '-F',
      'demo',
      '-o',
      output,
    ];
    const cloud = { SCANNER_CLOUD_API_KEY: service.apiKey, SCANNER_CLOUD_API_BASE_URL: service.url };
    await scan(words, { ...emulator.environment(), ...cloud });
    console.log(whereToLook({ url: service.url, apiKey: service.apiKey, output }));
    await Promise.race([stopped, service.ended]);
  } finally {
    for (const step of undo.reverse()) await step();
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
