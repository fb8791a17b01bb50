import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmulator } from '../../../packages/directory-emulator/src/index.ts';
import { createTemporaryFolder, type TemporaryFolder } from './examples.ts';
import { type FakeService, startFakeService } from './fake-service.ts';

const CLI = fileURLToPath(new URL('../../../packages/scanner/bin/scanner.js', import.meta.url));

export interface CheckoutScanner {
  /** A folder with a `scanner` command that runs the scanner from this checkout. */
  readonly folder: string;
  readonly temporary: TemporaryFolder;
  /** Environment variables to scan the organization. */
  readonly organization: Readonly<Record<string, string>>;
  readonly service: FakeService;
  /** Environment variable with an API key that the service accepts. */
  readonly key: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/**
 * Creates a command for the scanner from this checkout, and starts an organization to scan and a fake service. By default,
 * the organization has failed checks and an object that cannot be read.
 */
export async function startCheckoutScanner(
  organization: 'compliant' | 'mixed' = 'mixed',
): Promise<CheckoutScanner> {
  const temporary = await createTemporaryFolder();
  const folder = path.join(temporary.folder, 'bin');
  await mkdir(folder);
  const command = await temporary.write(
    'bin/scanner',
    `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`,
  );
  await chmod(command, 0o755);
  const [emulator, service] = await Promise.all([startEmulator({ organization }), startFakeService()]);
  return {
    folder,
    temporary,
    organization: emulator.environment(),
    service,
    key: { SCANNER_CLOUD_API_KEY: 'example-api-key' },
    stop: async () => {
      await Promise.all([emulator.stop(), service.stop()]);
      await temporary.remove();
    },
  };
}
