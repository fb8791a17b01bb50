import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { EmbeddedPostgresError } from '../db/embedded/cluster.ts';
import { OperatorError } from '../lib/errors.ts';
import { SERVICE_VERSION } from '../lib/version.ts';
import { apiKeyCommand } from './api-key.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import type { CliContext } from './context.ts';
import { gcCommand } from './gc.ts';
import { jobCommand } from './job.ts';
import { migrateCommand } from './migrate.ts';
import { providerCommand } from './provider.ts';
import { serveCommand } from './serve.ts';
import { subscriptionCommand } from './subscription.ts';
import { tenantCommand } from './tenant.ts';
import { userCommand } from './user.ts';

const OVERVIEW = `
All commands except serve accept --json, which prints the result as one JSON value.
Settings are environment variables; 'sluice help serve' lists all of them.`;

/**
 * Runs a command line. Always resolves with the exit code: 1 if the command failed, 2 if the command line is invalid.
 */
export async function runProgram(words: readonly string[], context: CliContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    context.writeErr(`sluice: ${describeError(error)}\n`);
    return 1;
  }
}

/** Creates the definition of the command line. */
export function createProgram(context: CliContext): CommandUnknownOpts {
  const program = new Command('sluice')
    .description('Ingests files of security findings and keeps the current state of every finding.')
    .version(SERVICE_VERSION, '-v, --version', 'print the version')
    .addHelpText('after', OVERVIEW)
    .addCommand(serveCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(tenantCommand(context))
    .addCommand(subscriptionCommand(context))
    .addCommand(userCommand(context))
    .addCommand(apiKeyCommand(context))
    .addCommand(providerCommand(context))
    .addCommand(jobCommand(context))
    .addCommand(gcCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context));
  program
    .command('help')
    .description("print a command's arguments, options and settings")
    .argument('[command...]')
    .action((words) => printHelp(program, words));
  configure(program, context);
  return program;
}

/**
 * Prints the help of the command with this path, and ignores further words. Throws a CommanderError if there is no such
 * command.
 */
function printHelp(program: CommandUnknownOpts, words: readonly string[]): void {
  let command = program;
  for (const word of words) {
    if (command.commands.length === 0) break;
    const next = command.commands.find((each) => each.name() === word);
    // Parsing the unknown command reports the error, with a suggestion.
    if (next === undefined) return void command.parse([word], { from: 'user' });
    command = next;
  }
  command.outputHelp();
}

/** Configures the output, the help and the errors of a command and its subcommands. */
function configure(command: CommandUnknownOpts, context: CliContext): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: context.writeOut,
      writeErr: context.writeErr,
      outputError: (text, write) => write(`sluice: ${formatError(text)}\n`),
    })
    .configureHelp({
      // Only for the help: Commander's suggestions for unknown commands require the direct subcommands.
      formatHelp: (parent, help) => {
        const visibleCommands = () => leavesOf(parent).filter((leaf) => leaf !== parent);
        return Help.prototype.formatHelp.call(help, parent, Object.assign(help, { visibleCommands }));
      },
      subcommandTerm: (leaf) => `${pathOf(leaf).replace(/^sluice /, '')} ${leaf.usage()}`,
    })
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError(
      command.commands.length === 0
        ? `Run '${helpCommandOf(command)}' for its arguments and options.`
        : `Run '${helpCommandOf(command)}' to list the commands.`,
    );
  for (const subcommand of command.commands) configure(subcommand, context);
}

function helpCommandOf(command: CommandUnknownOpts): string {
  return pathOf(command).replace('sluice', 'sluice help');
}

/** Formats an error of Commander, which prints suggestions on a separate line. */
function formatError(text: string): string {
  return text
    .replace(/^error: /, '')
    .replace(/^command-argument value/, 'the value')
    .trimEnd()
    .replaceAll('\n', ' ');
}

/** Returns the commands without subcommands, in the order of the help. */
export function leavesOf(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Returns the name of a command, preceded by the names of its parents. */
export function pathOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Returns one line for an error that the operator can fix, and the stack trace of any other error. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOperatorError = error instanceof OperatorError || error instanceof EmbeddedPostgresError;
  return isOperatorError ? error.message : (error.stack ?? error.message);
}
