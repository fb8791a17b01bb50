import type { TestContext } from 'node:test';
import { CONTENT, makeFiles, runPush } from './run-push.ts';
import { type Script, startService } from './service.ts';

/** Output of a gate that passed. */
export const GATE_PASSED =
  'The gate passed: no new, regressed or reopened findings have severity high or worse.\n';
/** First line of the output of a gate that failed because of this number of findings. */
export function gateFailed(count: number): string {
  const findings = count === 1 ? 'finding has' : 'findings have';
  return `The gate failed: ${count} new, regressed or reopened ${findings} severity high or worse.\n`;
}

/** Pushes files to a service with this script. */
export async function pushWithGate(
  context: TestContext,
  script: Script,
  flags: readonly string[] = ['--fail-on', 'high'],
  files: readonly string[] = ['a.ocsf.json'],
) {
  const service = await startService(context, script);
  const contents = Object.fromEntries(files.map((file, at) => [file, `${CONTENT}${' '.repeat(at)}`]));
  const cwd = await makeFiles(context, contents);
  return { ...(await runPush([...flags, ...files], { cwd, service })), service };
}
