import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmulator } from '../../../packages/directory-emulator/src/index.ts';
import { makeFolder, type TemporaryFolder } from './examples.ts';
import { type FakeService, startFakeService } from './fake-service.ts';

const CLI = fileURLToPath(new URL('../../../packages/scanner/bin/scanner.js', import.meta.url));

export interface RealScanner {
  /** A folder with a command `scanner`: this checkout's. */
  readonly folder: string;
  readonly temporary: TemporaryFolder;
  /** An organization where something fails. */
  readonly organization: Readonly<Record<string, string>>;
  readonly service: FakeService;
  /** What an upload needs to be taken. */
  readonly key: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** This checkout's scanner as a command, an organization to scan, and a server that plays the service. */
export async function startRealScanner(): Promise<RealScanner> {
  const temporary = await makeFolder();
  const folder = path.join(temporary.folder, 'bin');
  await mkdir(folder);
  const command = await temporary.write(
    'bin/scanner',
    `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`,
  );
  await chmod(command, 0o755);
  const [emulator, service] = await Promise.all([
    startEmulator({ organization: 'mixed' }),
    startFakeService(),
  ]);
  return {
    folder,
    temporary,
    organization: emulator.environment(),
    service,
    key: { SCANNER_CLOUD_API_KEY: 'a-key-that-nobody-has' },
    stop: async () => {
      await Promise.all([emulator.stop(), service.stop()]);
      await temporary.remove();
    },
  };
}
