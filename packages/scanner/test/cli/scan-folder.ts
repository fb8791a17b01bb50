import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { startEmulator } from '../../../directory-emulator/src/index.ts';
import { CLIENT_KEY } from '../../../directory-emulator/test/support/client-key.ts';
import {
  makeFolder,
  type RunOptions,
  type RunResult,
  type runProgramHere,
  runScanner,
} from './run-scanner.ts';

/** The flag that disables the rate limit. */
export const FAST = '--directory-requests-per-second=0';

const recordsSchema = z.array(
  z.object({
    metadata: z.object({ event_code: z.string() }),
    status_code: z.enum(['PASS', 'FAIL', 'MANUAL']),
    status: z.enum(['New', 'Suppressed']),
    unmapped: z.object({ scan_id: z.uuidv7() }),
    cloud: z.object({ provider: z.string() }),
  }),
);

/** A working folder and emulated organizations for scans. */
export interface ScanFolder {
  readonly folder: string;
  /** Starts an emulator and returns a function that scans it with `scanner directory ...`. */
  readonly organization: (options: Parameters<typeof startEmulator>[0]) => Promise<ScannedOrganization>;
  /** Reads the records of an OCSF file in the folder. */
  readonly records: (file: string) => Promise<z.output<typeof recordsSchema>>;
  /** Removes the folder and stops the emulators. */
  readonly remove: () => Promise<void>;
}

export interface ScannedOrganization {
  readonly emulator: Awaited<ReturnType<typeof startEmulator>>;
  readonly scan: (args: readonly string[], overrides?: RunOptions) => Promise<RunResult>;
}

export async function makeScanFolder(run: typeof runProgramHere = runScanner): Promise<ScanFolder> {
  const { folder, remove } = await makeFolder();
  const stops: (() => Promise<void>)[] = [];
  return {
    folder,
    organization: async (options) => {
      const emulator = await startEmulator({ clientKey: CLIENT_KEY, ...options });
      stops.push(() => emulator.stop());
      const scan = (args: readonly string[], overrides: RunOptions = {}): Promise<RunResult> =>
        run(['directory', FAST, '--log-level', 'ERROR', ...args], {
          cwd: folder,
          ...overrides,
          env: { ...emulator.environment(), ...overrides.env },
        });
      return { emulator, scan };
    },
    records: async (file) => recordsSchema.parse(JSON.parse(await readFile(path.join(folder, file), 'utf8'))),
    remove: async () => {
      for (const stop of stops) await stop();
      await remove();
    },
  };
}
