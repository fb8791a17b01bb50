import { CommanderError } from 'commander';
import { ScannerError } from '../scanner-error.ts';
import { withoutAliases } from './long-aliases.ts';
import { createProgram } from './program.ts';
import type { ProgramContext } from './program-context.ts';

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
