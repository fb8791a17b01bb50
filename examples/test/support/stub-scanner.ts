import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { runProcess } from './run-process.ts';

const packedSchema = z.array(z.object({ filename: z.string(), integrity: z.string() }));

/** The behavior of the stub, passed to it as JSON in the environment variable STUB. */
export interface StubPlan {
  readonly scanCode?: number;
  /** Content of the file that the scan writes. By default, it writes no file. */
  readonly findings?: unknown;
  /** Output of the scan. */
  readonly output?: string;
  /** Content of the JSON file of the scan. By default, the stub is an older scanner without `--json-file`. */
  readonly document?: string;
  readonly pushCode?: number;
  /** Output of `push --json`. */
  readonly pushed?: unknown;
}

const STUB = `#!/usr/bin/env node
const { appendFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
const { STUB, STUB_CALLS, SCANNER_CLOUD_API_BASE_URL } = process.env;
const plan = JSON.parse(STUB);
const hasJsonFile = plan.document !== undefined;
if (args.includes('--help')) {
  console.log(hasJsonFile ? '  --json  --json-file <file>' : '  --json');
  process.exit();
}
appendFileSync(STUB_CALLS, JSON.stringify({ args, baseUrl: SCANNER_CLOUD_API_BASE_URL }) + '\\n');
const after = (flag) => args[args.indexOf(flag) + 1];
if (!hasJsonFile && args.includes('--json-file')) {
  process.exitCode = 2;
} else if (args[0] === 'directory') {
  if (args.includes('--json-file')) writeFileSync(after('--json-file'), plan.document);
  if (plan.output) console.log(plan.output);
  const file = after('--output-directory') + '/' + after('--output-filename') + '.ocsf.json';
  if (plan.findings !== undefined) writeFileSync(file, JSON.stringify(plan.findings));
  process.exitCode = plan.scanCode ?? 0;
} else {
  if (plan.pushed !== undefined) console.log(JSON.stringify(plan.pushed));
  process.exitCode = plan.pushCode ?? 0;
}
`;

/**
 * Creates a `scanner` command that follows a plan and records its calls, to test rare exit codes and results. Requests
 * for help are not recorded. Returns its folder, which can be added to the PATH and is also an npm package.
 */
export async function createStubScanner(folder: string): Promise<string> {
  const stub = path.join(folder, 'stub');
  await mkdir(stub);
  await writeFile(path.join(stub, 'scanner'), STUB);
  await chmod(path.join(stub, 'scanner'), 0o755);
  const manifest = { name: '@sluice-test/scanner', version: '1.0.0', bin: { scanner: './scanner' } };
  await writeFile(path.join(stub, 'package.json'), JSON.stringify(manifest));
  return stub;
}

/** Packs the stub with npm. Returns the name of the tarball and its hash in npm's format. */
export async function packStub(stub: string, folder: string): Promise<{ name: string; integrity: string }> {
  const { stdout } = await runProcess('npm', ['pack', '--json', '--pack-destination', folder], { cwd: stub });
  const [packed] = packedSchema.parse(JSON.parse(stdout));
  if (packed === undefined) throw new Error('npm pack did not create a tarball.');
  return { name: packed.filename, integrity: packed.integrity };
}
