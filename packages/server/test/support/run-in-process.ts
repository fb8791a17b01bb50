import type { CliContext } from '../../src/cli/context.ts';
import { createProgram, leavesOf, pathOf, runProgram } from '../../src/cli/program.ts';

export interface CommandRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `sluice ...` in this process, because starting a process takes time. */
export async function runInProcess(
  commandLine: readonly string[],
  context: Partial<Pick<CliContext, 'env' | 'withPool'>> = {},
): Promise<CommandRun> {
  const output = { stdout: '', stderr: '' };
  const exitCode = await runProgram(commandLine, {
    env: {},
    withPool: () => Promise.reject(new Error('this run has no database')),
    ...context,
    writeOut: (text) => {
      output.stdout += text;
    },
    writeErr: (text) => {
      output.stderr += text;
    },
  });
  return { exitCode, ...output };
}

/** All commands except `help`, with the names of their options and positional arguments. */
export const COMMANDS = leavesOf(
  createProgram({
    env: {},
    writeOut: () => undefined,
    writeErr: () => undefined,
    withPool: () => Promise.reject(new Error('the commands are not run')),
  }),
)
  .map((command) => ({
    name: pathOf(command).replace(/^sluice /, ''),
    options: [...command.options.map(({ long }) => long ?? ''), '--help'],
    positionals: command.registeredArguments.map((argument) => argument.name()),
  }))
  .filter(({ name }) => name !== 'help');
