import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/index.ts';
import { CLIENT_KEY } from './client-key.ts';

/** Starts emulators and stops them all at the end of a test file. */
export function emulators() {
  const started: Emulator[] = [];
  return {
    start: async (options: Partial<EmulatorOptions> = {}): Promise<Emulator> => {
      const emulator = await startEmulator({ organization: 'compliant', clientKey: CLIENT_KEY, ...options });
      started.push(emulator);
      return emulator;
    },
    stopAll: async (): Promise<void> => {
      await Promise.all(started.splice(0).map((emulator) => emulator.stop()));
    },
  };
}
