import { readConfig, unknownSettings } from '../config/config.ts';
import { EmbeddedPostgresError } from '../db/embedded/run-command.ts';
import { OperatorError } from '../lib/errors.ts';
import { SERVICE_VERSION } from '../lib/version.ts';
import { assertRoleAllowed } from '../process/component.ts';
import { administer } from './administer.ts';
import { findCommand } from './administration.ts';
import { UsageError } from './command.ts';
import { helpFor, overview } from './command-help.ts';
import { migrateCommand } from './migrate.ts';
import { readRole } from './serve-command.ts';

const HELP_FLAGS: readonly string[] = ['--help', '-h'];
const VERSION_FLAGS: readonly string[] = ['--version', '-v'];

async function main(args: readonly string[]): Promise<void> {
  const [first = ''] = args;
  if (VERSION_FLAGS.includes(first)) {
    process.stdout.write(`${SERVICE_VERSION}\n`);
    return;
  }
  if (first === 'help' || args.some((arg) => HELP_FLAGS.includes(arg))) {
    const topic = first === 'help' ? args.slice(1) : args;
    process.stdout.write(helpFor(topic.filter((arg) => !arg.startsWith('-'))));
    return;
  }
  if (first === 'serve') {
    const role = readRole(args.slice(1));
    const config = readConfig(process.env);
    assertRoleAllowed(role, config);
    // Imported on demand, because loading the HTTP server would double the startup time of the other commands.
    const { serve } = await import('./serve.ts');
    await serve(role, config, unknownSettings(process.env));
    return;
  }
  if (first === 'migrate') {
    await migrateCommand(readConfig(process.env), args.slice(1));
    return;
  }
  const found = findCommand(args);
  await administer(readConfig(process.env), found.command, found.args);
}

/** Prints one line for errors that the operator can fix, and the stack trace of other errors. Returns the exit code. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`sluice: ${error.message}\n\n${overview()}`);
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  const isOperatorError = error instanceof OperatorError || error instanceof EmbeddedPostgresError;
  process.stderr.write(
    isOperatorError ? `sluice: ${message}\n` : `sluice: ${error instanceof Error ? error.stack : message}\n`,
  );
  return 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
