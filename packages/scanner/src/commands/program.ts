import { Argument, Command } from 'commander';
import { addDirectoryOptions } from './directory-options.ts';
import { DIRECTORY_HELP, PROGRAM_HELP, PUSH_HELP } from './help-texts.ts';
import type { ProgramContext } from './program-context.ts';
import { addPushOptions } from './push-options.ts';

/** What the program is called with, as commander reads it. A command's own code is loaded when it runs. */
export function createProgram(context: ProgramContext, end: (exitCode: number) => void): Command {
  const { screen, version } = context;
  const program = new Command('scanner')
    .description(
      'Evaluates a directory organization against the DISA STIG for identity as a service and CIS Controls v8.1 with read access only, and pushes findings to Sluice.',
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
    program.command('directory').description('scan one organization, or list what would be checked'),
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
      .description('send OCSF files that exist already, of any scanner, to the service')
      .argument('<file...>', "files, patterns such as 'output/*.ocsf.json', or - for standard input"),
  )
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', PUSH_HELP);
  push.action(async (files: readonly string[]) => {
    const { runPush } = await import('./push.ts');
    end(await runPush(files, push.opts(), context));
  });

  program
    .command('completion')
    .description('print a script that completes this command in a shell; --help tells where it goes')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
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

/** Commander puts what might have been meant on a line of its own. */
function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ');
}
