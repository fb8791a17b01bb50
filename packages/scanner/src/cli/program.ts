import type { Readable } from 'node:stream';
import { Argument, Command, CommanderError } from 'commander';
import { ScannerError } from '../lib/errors.ts';
import type { Output, Screen } from '../terminal/screen.ts';
import { addDirectoryOptions } from './directory-options.ts';
import { COMPLETION_HELP, DIRECTORY_HELP, PROGRAM_HELP, PUSH_HELP, RETRY_HELP } from './help-texts.ts';
import { addPushOptions, addRetryOptions } from './push-options.ts';

/** The environment and the streams of a program run. */
export interface ProgramContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly screen: Screen;
  readonly version: string;
}

/** Alternative spellings of flags, as used in scripts for other scanners. */
const ALIASES: Readonly<Record<string, string>> = {
  '--check': '--checks',
  '--service': '--services',
  '--severities': '--severity',
  '--category': '--categories',
  '--excluded-check': '--excluded-checks',
  '--excluded-service': '--excluded-services',
  '--list-compliances': '--list-compliance',
  '--output-modes': '--output-formats',
};

/** Runs the program with command line arguments. Always resolves with the exit code. */
export async function runProgram(words: readonly string[], context: ProgramContext): Promise<number> {
  let exitCode = 0;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(withoutAliases(words), { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error, context);
  }
}

/** The command line definition. The code of a command is loaded when the command runs. */
function createProgram(context: ProgramContext, end: (exitCode: number) => void): Command {
  const { screen, version } = context;
  const program = new Command('scanner')
    .description(
      'Scans a directory organization against the DISA IDaaS STIG and CIS Controls v8.1 with read-only access, and pushes findings to Sluice.',
    )
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', PROGRAM_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => screen.result(text),
      writeErr: (text) => screen.notice(text),
      outputError: (text, write) => write(`scanner: ${joinLines(text)} [usage]\n`),
    });

  const directory = addDirectoryOptions(
    program.command('directory').description('scan an organization, or list the checks'),
  )
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', DIRECTORY_HELP);
  directory.action(async () => {
    const { runDirectory } = await import('./directory.ts');
    end(await runDirectory(directory.opts(), context));
  });

  const push = addPushOptions(
    program
      .command('push')
      .description('push existing OCSF files, from any scanner, to the service')
      .argument('<file...>', "files, glob patterns such as 'output/*.ocsf.json', or - for standard input"),
  )
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', PUSH_HELP);
  push.action(async (files: readonly string[]) => {
    const { runPush } = await import('./push.ts');
    end(await runPush(files, push.opts(), context));
  });

  const retry = addRetryOptions(
    program
      .command('retry')
      .description('ingest the stored file of an ingestion job again, with other defaults')
      .argument('<ingestion-id>', 'ID of the job, which must have ended'),
  )
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', RETRY_HELP);
  retry.action(async (id: string) => {
    const { runRetry } = await import('./retry.ts');
    end(await runRetry(id, retry.opts(), context));
  });

  program
    .command('completion')
    .description('print a shell completion script; see --help for installation')
    .addArgument(new Argument('<shell>', 'shell').choices(['bash', 'zsh', 'fish']))
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: unknown) => {
      const { completionScript } = await import('../completion/completion-script.ts');
      screen.result(completionScript(shell, program));
    });
  return program;
}

/** Joins the lines of an error, because Commander prints suggestions on a separate line. */
function joinLines(text: string): string {
  return text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ');
}

/** Replaces aliases on the command line with the option names. */
function withoutAliases(words: readonly string[]): readonly string[] {
  return words.map((word) => {
    const [flag = '', ...value] = word.split('=');
    const name = Object.hasOwn(ALIASES, flag) ? ALIASES[flag] : undefined;
    return name === undefined ? word : [name, ...value].join('=');
  });
}

/** Prints one line for user errors, and the stack trace for unexpected errors. */
function report(error: unknown, { screen }: ProgramContext): number {
  screen.status('');
  // Commander has already printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ScannerError) {
    screen.notice(`scanner: ${error.message} [${error.code}]\n`);
    return error.exitCode;
  }
  screen.notice(`scanner: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}
