import { Argument, Command } from 'commander';
import { addDirectoryOptions } from './directory-options.ts';
import { DIRECTORY_HELP, PROGRAM_HELP, PUSH_HELP } from './help-texts.ts';
import type { ProgramContext } from './program-context.ts';
import { addPushOptions } from './push-options.ts';

/** The command line definition. The code of a command is loaded when the command runs. */
export function createProgram(context: ProgramContext, end: (exitCode: number) => void): Command {
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
      outputError: (text, write) => write(`scanner: ${oneLine(text)} [usage]\n`),
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

const COMPLETION_HELP = `
  bash:  scanner completion bash > ~/.local/share/bash-completion/completions/scanner
  zsh:   scanner completion zsh > "\${fpath[1]}/_scanner"
  fish:  scanner completion fish > ~/.config/fish/completions/scanner.fish
`;

/** Joins the lines of an error, because Commander prints suggestions on a separate line. */
function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ');
}
