import { openClient } from '../push/open-client.ts';
import { outcomeText, retryJson } from '../push/outcome.ts';
import { problemLine } from '../push/problem.ts';
import { exitCodeOf, failedStep, type PushOutcome, retryJob } from '../push/push-file.ts';
import { painter, visibleText } from '../terminal/formatting.ts';
import { createLog } from '../terminal/log.ts';
import { shouldUseColors } from '../terminal/screen.ts';
import type { ProgramContext } from './program.ts';
import { readPushFlags } from './push-options.ts';

/**
 * Runs `scanner retry`, which ingests the stored file of a job again with other defaults. Resolves with the exit code, as
 * `runPush` does. Throws a ScannerError (exit code 2) for an invalid command line.
 */
export async function runRetry(id: string, parsed: unknown, context: ProgramContext): Promise<number> {
  const { env, stdout, screen } = context;
  const { logLevel, logFile, color, json, ...request } = readPushFlags(parsed);
  const log = createLog(screen, logLevel, logFile);
  const { client, problem } = openClient({ ...context, log });
  const outcome: PushOutcome =
    client === undefined
      ? { problem }
      : await retryJob({ client, screen, log }, { id, ...request }).finally(() => client.close());
  if (json) screen.result(`${JSON.stringify(retryJson(id, outcome), null, 2)}\n`);
  else {
    const paint = painter(shouldUseColors(stdout, color, env));
    screen.result(outcomeText(`Ingestion ${visibleText(id)}`, outcome, paint, { action: 'retried' }));
  }
  if (outcome.problem !== undefined)
    screen.notice(`${problemLine(outcome.problem, failedStep(outcome, 'retry'))}\n`);
  return exitCodeOf([outcome]);
}
