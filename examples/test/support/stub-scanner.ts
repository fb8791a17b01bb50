import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { runProcess } from './run-process.ts';

const packedSchema = z.array(z.object({ filename: z.string(), integrity: z.string() }));

/** What the stub does; it reads this from STUB, as JSON. */
export interface StubPlan {
  readonly scanCode?: number;
  /** What the scan writes; without it, it writes no file. */
  readonly findings?: unknown;
  /** What the scan prints. */
  readonly says?: string;
  readonly pushCode?: number;
  /** What `push --json` prints. */
  readonly pushed?: unknown;
}

const STUB = `#!/usr/bin/env node
const { appendFileSync, writeFileSync } = require('node:fs');
const words = process.argv.slice(2);
const { STUB, STUB_CALLS, SCANNER_CLOUD_API_BASE_URL } = process.env;
const plan = JSON.parse(STUB);
appendFileSync(STUB_CALLS, JSON.stringify({ words, baseUrl: SCANNER_CLOUD_API_BASE_URL }) + '\\n');
const after = (flag) => words[words.indexOf(flag) + 1];
if (words[0] === 'directory') {
  if (plan.says) console.log(plan.says);
  const file = after('--output-directory') + '/' + after('--output-filename') + '.ocsf.json';
  if (plan.findings !== undefined) writeFileSync(file, JSON.stringify(plan.findings));
  process.exitCode = plan.scanCode ?? 0;
} else {
  if (plan.pushed !== undefined) console.log(JSON.stringify(plan.pushed));
  process.exitCode = plan.pushCode ?? 0;
}
`;

/**
 * A command `scanner` that follows a plan and records how it was called, for exit codes and results that the real one
 * rarely has. Resolves with its folder, for the PATH, which is also a package that npm can install.
 */
export async function makeStubScanner(folder: string): Promise<string> {
  const home = path.join(folder, 'stub');
  await mkdir(home);
  await writeFile(path.join(home, 'scanner'), STUB);
  await chmod(path.join(home, 'scanner'), 0o755);
  const manifest = { name: '@sluice-test/scanner', version: '1.0.0', bin: { scanner: './scanner' } };
  await writeFile(path.join(home, 'package.json'), JSON.stringify(manifest));
  return home;
}

/** Packs the stub with npm into a folder. Resolves with the tarball's name and its hash, as npm writes it. */
export async function packStub(stub: string, folder: string): Promise<{ name: string; integrity: string }> {
  const { stdout } = await runProcess('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stub });
  const [packed] = packedSchema.parse(JSON.parse(stdout));
  if (packed === undefined) throw new Error('npm pack made no tarball');
  return { name: packed.filename, integrity: packed.integrity };
}
