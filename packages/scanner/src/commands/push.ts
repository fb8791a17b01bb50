import type { Readable } from 'node:stream';
import type { IngestionClient } from '../client/index.ts';
import { hasColours } from '../console/colours.ts';
import { createLog } from '../console/log.ts';
import type { Log } from '../log.ts';
import { painter } from '../outputs/paint.ts';
import { findFiles, STANDARD_INPUT } from '../push/find-files.ts';
import { openClient } from '../push/open-client.ts';
import { outcomeJson } from '../push/outcome-json.ts';
import { outcomeText } from '../push/outcome-text.ts';
import { concernsAllFiles, type Problem, problemLine, problemOf } from '../push/problem.ts';
import { type PushOutcome, type PushTools, pushFile } from '../push/push-file.ts';
import { keepInput } from '../push/standard-input.ts';
import { type PushFlags, readPushFlags } from './push-flags.ts';
import type { Surroundings } from './surroundings.ts';
import { usageError } from './usage-error.ts';

interface PushedFile {
  /** As it was named. */
  readonly file: string;
  readonly outcome: PushOutcome;
}

/**
 * `scanner push`: sends files that exist already, one after another. Resolves with the exit code: 0 when the service took
 * all of them (and, with --wait, every record was good), 1 when one could not be pushed or its end was not seen, 3 when a
 * job has ended badly. Throws a ScannerError (2) for a wrong command line, before anything is sent.
 */
export async function runPush(
  words: readonly string[],
  parsed: unknown,
  surroundings: Surroundings,
): Promise<number> {
  const { env, stdout, screen } = surroundings;
  const flags = readPushFlags(parsed);
  const files = await findFiles(words);
  if (flags.idempotencyKey !== undefined && files.length > 1)
    throw usageError('--idempotency-key is for one file: with several, all but one would be refused');
  const log = createLog(screen, flags.logLevel, flags.logFile);
  const paint = painter(hasColours(stdout, flags.color, env));

  const pushed: PushedFile[] = [];
  const tell = (file: string, outcome: PushOutcome) => {
    pushed.push({ file, outcome });
    const name = file === STANDARD_INPUT ? 'standard input' : file;
    if (!flags.json) screen.result(outcomeText(name, outcome, paint));
    if (outcome.problem !== undefined) screen.notice(`${name}: ${problemLine(outcome.problem)}\n`);
  };
  const client = openOrProblem(surroundings, log);
  let problem = client.problem;
  if (client.problem !== undefined) screen.notice(`${problemLine(client.problem)}\n`);
  else
    problem = await pushAll({ client: client.client, screen, log }, files, flags, surroundings.stdin, tell);

  // What was not tried is named, too: nothing of a list goes missing.
  const left = files.slice(pushed.length);
  if (problem !== undefined && left.length > 0) {
    if (pushed.length > 0) screen.notice(`Not tried after that: ${left.join(', ')}\n`);
    pushed.push(...left.map((file) => ({ file, outcome: { problem } })));
  }
  if (flags.json)
    screen.result(
      `${JSON.stringify(
        pushed.map(({ file, outcome }) => outcomeJson(file, outcome)),
        null,
        2,
      )}\n`,
    );
  if (pushed.some(({ outcome }) => outcome.problem !== undefined)) return 1;
  return pushed.some(({ outcome }) => outcome.ingestion?.status === 'failed') ? 3 : 0;
}

/** Resolves with the problem that makes it useless to go on, if there is one. */
async function pushAll(
  tools: PushTools,
  files: readonly string[],
  flags: PushFlags,
  stdin: Readable,
  tell: (file: string, outcome: PushOutcome) => void,
): Promise<Problem | undefined> {
  const { provider, account, idempotencyKey, waitSeconds } = flags;
  const options = { provider, account, idempotencyKey, waitSeconds };
  try {
    for (const file of files) {
      const kept = file === STANDARD_INPUT ? await keepInput(stdin) : undefined;
      const outcome = await pushFile(tools, { path: kept?.path ?? file, ...options });
      tell(file, outcome);
      if (kept !== undefined && outcome.upload !== undefined) await kept.remove();
      else if (kept !== undefined)
        tools.screen.notice(`What came from standard input is kept in ${kept.path}\n`);
      if (outcome.problem !== undefined && concernsAllFiles(outcome.problem)) return outcome.problem;
    }
    return undefined;
  } finally {
    await tools.client.close();
  }
}

type Opened =
  | { readonly client: IngestionClient; readonly problem?: never }
  | { readonly client?: never; readonly problem: Problem };

function openOrProblem({ env, version }: Surroundings, log: Log): Opened {
  try {
    return { client: openClient(env, version, log) };
  } catch (error) {
    return { problem: problemOf(error, log) };
  }
}
