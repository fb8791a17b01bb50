import type { Readable } from 'node:stream';
import { usageError } from '../lib/errors.ts';
import { printGate } from '../push/gate-text.ts';
import { findFiles, STANDARD_INPUT, saveStandardInput } from '../push/input-files.ts';
import { openClient } from '../push/open-client.ts';
import { outcomeJson, outcomeText } from '../push/outcome.ts';
import { affectsAllFiles, problemLine, problemOf } from '../push/problem.ts';
import { pushCommand } from '../push/push-command.ts';
import {
  exitCodeOf,
  failedPush,
  failedStep,
  type PushOutcome,
  type PushTools,
  pushFile,
  skippedPush,
} from '../push/push-file.ts';
import { painter } from '../terminal/formatting.ts';
import { createLog } from '../terminal/log.ts';
import { shouldUseColors } from '../terminal/screen.ts';
import type { ProgramContext } from './program.ts';
import { type PushFlags, readPushFlags } from './push-options.ts';

interface PushedFile {
  /** The file name as given on the command line. */
  readonly file: string;
  readonly outcome: PushOutcome;
}

interface PushPlan {
  readonly files: readonly string[];
  readonly flags: PushFlags;
  readonly stdin: Readable;
  /** Called with the outcome of each file. */
  readonly show: (file: string, outcome: PushOutcome) => void;
}

/**
 * Runs `scanner push`, which pushes existing files one after another. Resolves with the exit code: 0 if the service
 * accepted all files (and, with --wait, all records were valid), 1 if a file could not be pushed, its job did not finish
 * in time or its gate could not be evaluated, 3 if a job failed, 4 if a gate failed. Throws a ScannerError (exit code 2)
 * for an invalid command line, before anything is sent.
 */
export async function runPush(
  words: readonly string[],
  parsed: unknown,
  context: ProgramContext,
): Promise<number> {
  const { env, stdout, screen } = context;
  const flags = readPushFlags(parsed);
  const files = await findFiles(words);
  if (flags.idempotencyKey !== undefined && files.length > 1)
    throw usageError('--idempotency-key can be used with only one file');
  const log = createLog(screen, flags.logLevel, flags.logFile);
  const paint = painter(shouldUseColors(stdout, flags.color, env));

  const show = (file: string, outcome: PushOutcome) => {
    const name = nameOf(file);
    if (!flags.json) screen.result(outcomeText(name, outcome, paint));
    if (outcome.problem !== undefined)
      screen.notice(`${name}: ${problemLine(outcome.problem, failedStep(outcome))}\n`);
  };

  const { client, problem } = openClient({ ...context, log });
  if (problem !== undefined) screen.notice(`${problemLine(problem)}\n`);
  const pushed =
    client === undefined
      ? files.map((file) => ({ file, outcome: failedPush(problem, flags.failOn) }))
      : await pushAll({ client, screen, log }, { files, flags, stdin: context.stdin, show });
  if (flags.json) {
    const outcomes = pushed.map(({ file, outcome }) => outcomeJson(file, outcome));
    screen.result(`${JSON.stringify(outcomes, null, 2)}\n`);
  }
  const named = pushed.map(({ file, outcome }) => ({ name: nameOf(file), outcome }));
  printGate(named, { screen, paint, isJson: flags.json });
  return exitCodeOf(pushed.map(({ outcome }) => outcome));
}

function nameOf(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : file;
}

/** Stops at a problem that affects all files, and reports the remaining files with the same problem. */
async function pushAll(tools: PushTools, plan: PushPlan): Promise<readonly PushedFile[]> {
  const pushed: PushedFile[] = [];
  try {
    for (const [at, file] of plan.files.entries()) {
      const outcome = await pushOne(tools, plan, file);
      pushed.push({ file, outcome });
      plan.show(file, outcome);
      const { problem } = outcome;
      if (problem === undefined || !affectsAllFiles(problem)) continue;
      const left = plan.files.slice(at + 1);
      if (left.length > 0) tools.screen.notice(`Skipped after this error: ${left.join(', ')}\n`);
      return [...pushed, ...left.map((file) => ({ file, outcome: skippedPush(problem, plan.flags.failOn) }))];
    }
    return pushed;
  } finally {
    await tools.client.close();
  }
}

async function pushOne(tools: PushTools, { flags, stdin }: PushPlan, file: string): Promise<PushOutcome> {
  const { provider, account, labels, coverage, dryRun, idempotencyKey, waitSeconds, failOn } = flags;
  const request = {
    provider,
    account,
    labels,
    coverage,
    dryRun,
    idempotencyKey,
    waitSeconds,
    failOn,
  };
  if (file !== STANDARD_INPUT) return await pushFile(tools, { ...request, path: file });
  try {
    const kept = await saveStandardInput(stdin);
    const saved = { ...request, path: kept.path };
    const outcome = await pushFile(tools, saved);
    if (outcome.upload !== undefined) await kept.remove();
    else {
      tools.screen.notice(`Standard input was saved to ${kept.path}\n`);
      tools.screen.notice(`To push it again, use ${pushCommand(saved)}\n`);
    }
    return outcome;
  } catch (error) {
    return failedPush(problemOf(error, tools.log), failOn);
  }
}
