import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCANNER = fileURLToPath(new URL('../../../packages/scanner/bin/scanner.js', import.meta.url));

/** What scans in its right mind end with: nothing failed, or something did. */
const EXPECTED = [0, 3];

/** Runs `scanner directory` where everybody can see it. Throws where it could not scan. */
export async function scan(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  console.log(`$ npx scanner directory ${words.join(' ')}\n`);
  const scanner = spawn(process.execPath, [SCANNER, 'directory', ...words], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  await once(scanner, 'exit');
  if (!EXPECTED.includes(scanner.exitCode ?? -1))
    throw new Error('the scan did not come to its end; its reason stands above');
}
