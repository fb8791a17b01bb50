import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import {
  type Ended,
  makeFolder,
  type RunOptions,
  runProgramHere,
  runScanner,
} from '../../cli/run-scanner.ts';

/** The key of these tests; whatever happens, nobody may read it in what is printed. */
export const KEY = 'sk_a-key-that-nobody-may-see';

/** What a file of these tests holds. */
export const CONTENT = '[{"class_uid":2004},{"class_uid":2004},{"class_uid":2004}]';

/** A folder of a test's own with files to push. */
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

/** Larger than what the system takes before anybody reads it, and not to be compressed. */
export function bigContent(): Buffer {
  return randomBytes(24 * 2 ** 20);
}

export interface PushRun extends RunOptions {
  readonly service?: { readonly url: string };
}

/** Runs `scanner push ...`, without repeats unless the environment says otherwise. The key is never printed. */
export async function runPush(words: readonly string[], { service, env, ...run }: PushRun): Promise<Ended> {
  const needsProcess = run.started !== undefined || env?.NODE_EXTRA_CA_CERTS !== undefined;
  const start = needsProcess ? runScanner : runProgramHere;
  const ended = await start(['push', ...words], {
    ...run,
    env: {
      SCANNER_CLOUD_API_KEY: KEY,
      SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '0',
      ...(service !== undefined && { SCANNER_CLOUD_API_BASE_URL: service.url }),
      ...env,
    },
  });
  assert.doesNotMatch(ended.stdout + ended.stderr, new RegExp(KEY));
  return ended;
}

/** Pushes `a.ocsf.json`, and resolves with what was printed. */
export async function pushOne(context: TestContext, run: PushRun): Promise<Ended> {
  return await runPush(['a.ocsf.json'], { cwd: await makeFiles(context), ...run });
}

export interface Failure {
  readonly code: string;
  /** The sentence. */
  readonly message: string;
  /** Lines that told of repeats. */
  readonly retries: readonly string[];
}

/** A run that failed, with 1, one sentence about the file, and nothing on stdout. */
export function failureOf({ code, stdout, stderr }: Ended): Failure {
  const lines = stderr.trimEnd().split('\n');
  const retries = lines.filter((line) => line.startsWith('WARNING '));
  const rest = lines.filter((line) => !line.startsWith('WARNING '));
  assert.deepEqual({ code, stdout, lines: rest.length }, { code: 1, stdout: '', lines: 1 }, stderr);
  const told = /^(?:.*?: )?Push (?:failed|skipped): (?<message>.+) \[(?<code>\w+)\]$/.exec(rest[0] ?? '');
  assert.ok(told?.groups?.code !== undefined && told.groups.message !== undefined, stderr);
  return { code: told.groups.code, message: told.groups.message, retries };
}
