import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import {
  makeFolder,
  type RunOptions,
  type RunResult,
  runProgramHere,
  runScanner,
} from '../../cli/run-scanner.ts';

/** The API key for tests. It must never be printed. */
export const KEY = 'sk_a-key-that-nobody-may-see';

/** The content of test files. */
export const CONTENT = '[{"class_uid":2004},{"class_uid":2004},{"class_uid":2004}]';

/** A temporary folder with files to push. */
export async function makeFiles(
  context: TestContext,
  files: Readonly<Record<string, string | Buffer>> = { 'a.ocsf.json': CONTENT },
): Promise<string> {
  const { folder, remove } = await makeFolder();
  context.after(remove);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

/** Incompressible content that exceeds the socket buffers. */
export function bigContent(): Buffer {
  return randomBytes(24 * 2 ** 20);
}

export interface PushRun extends RunOptions {
  readonly service?: { readonly url: string };
}

/** Runs `scanner push ...`. By default, it does not retry. Asserts that the key is not printed. */
export async function runPush(
  args: readonly string[],
  { service, env, ...run }: PushRun,
): Promise<RunResult> {
  const needsProcess = run.started !== undefined || env?.NODE_EXTRA_CA_CERTS !== undefined;
  const start = needsProcess ? runScanner : runProgramHere;
  const result = await start(['push', ...args], {
    ...run,
    env: {
      SCANNER_CLOUD_API_KEY: KEY,
      SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '0',
      ...(service !== undefined && { SCANNER_CLOUD_API_BASE_URL: service.url }),
      ...env,
    },
  });
  assert.doesNotMatch(result.stdout + result.stderr, new RegExp(KEY));
  return result;
}

/** Pushes `a.ocsf.json` and resolves with the output. */
export async function pushOne(context: TestContext, run: PushRun): Promise<RunResult> {
  return await runPush(['a.ocsf.json'], { cwd: await makeFiles(context), ...run });
}

export interface Failure {
  readonly code: string;
  /** The error message. */
  readonly message: string;
  /** The lines that report retries. */
  readonly retries: readonly string[];
}

/** Parses the output of a failed run. Asserts exit code 1, one error line for the file, and empty stdout. */
export function failureOf({ code, stdout, stderr }: RunResult): Failure {
  const lines = stderr.trimEnd().split('\n');
  const retries = lines.filter((line) => line.startsWith('WARNING '));
  const errors = lines.filter((line) => !line.startsWith('WARNING '));
  assert.deepEqual({ code, stdout, lines: errors.length }, { code: 1, stdout: '', lines: 1 }, stderr);
  const groups = /^(?:.*?: )?Push (?:failed|skipped): (?<message>.+) \[(?<code>\w+)\]$/.exec(
    errors[0] ?? '',
  )?.groups;
  assert.ok(groups?.code !== undefined && groups.message !== undefined, stderr);
  return { code: groups.code, message: groups.message, retries };
}
