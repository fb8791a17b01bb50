import type { TestContext } from 'node:test';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../../../directory-emulator/src/index.ts';
import { CLIENT_KEY } from '../../../../directory-emulator/test/support/client-key.ts';
import { DIALECTS } from '../../../src/directory/dialect.ts';
import { connect, type Directory } from '../../../src/directory/directory.ts';
import { readDirectorySettings, type SettingsFlags } from '../../../src/directory/settings.ts';
import type { Log } from '../../../src/terminal/log.ts';

/** Starts an emulator that stops after the test. */
export async function emulate(test: TestContext, options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ organization: 'compliant', clientKey: CLIENT_KEY, ...options });
  test.after(() => emulator.stop());
  return emulator;
}

/** Connects in the same way as the command, with the emulator's environment variables and without a rate limit. */
export async function connectTo(
  emulator: Emulator,
  {
    env = {},
    flags = {},
    dialect = 'directory',
    warnings = [],
  }: {
    readonly env?: NodeJS.ProcessEnv;
    readonly flags?: SettingsFlags;
    readonly dialect?: keyof typeof DIALECTS;
    readonly warnings?: string[];
  } = {},
): Promise<Directory> {
  const settings = await readDirectorySettings({
    env: { ...emulator.environment(), ...env },
    flags: { requestsPerSecond: 0, ...flags },
    dialect: DIALECTS[dialect],
  });
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (message) => warnings.push(message),
    error: () => {},
  };
  return connect(settings, log);
}

/** Returns the paths and query strings of all requests to the management API. */
export function paths(emulator: Emulator): string[] {
  return emulator.requests.map(({ path }) => decodeURIComponent(path.replaceAll('+', ' ')));
}
