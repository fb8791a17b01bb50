import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCANNER = fileURLToPath(new URL('../../../packages/scanner/bin/scanner.js', import.meta.url));

/** Exit codes of a completed scan: all checks passed, or some failed. */
const COMPLETED = [0, 3];

/** Runs `scanner directory` and prints its output. Throws if the scan does not complete. */
export async function scan(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  console.log(`$ npx scanner directory ${args.join(' ')}\n`);
  const scanner = spawn(process.execPath, [SCANNER, 'directory', ...args], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  await once(scanner, 'exit');
  if (!COMPLETED.includes(scanner.exitCode ?? -1))
    throw new Error('The scan did not complete. See the errors above.');
}
