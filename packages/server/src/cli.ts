import { administer } from './commands/administer.ts';
import { findCommand } from './commands/administration.ts';
import { UsageError } from './commands/command.ts';
import { helpFor, overview } from './commands/command-help.ts';
import { migrateCommand } from './commands/migrate.ts';
import { readRole } from './commands/serve-command.ts';
import { readConfig, unknownSettings } from './config.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres-error.ts';
import { OperatorError } from './operator-error.ts';
import { assertRoleAllowed } from './role.ts';
import { SERVICE_VERSION } from './version.ts';

const HELP_FLAGS: readonly string[] = ['--help', '-h'];
const VERSION_FLAGS: readonly string[] = ['--version', '-v'];

async function main(words: readonly string[]): Promise<void> {
  const [first = ''] = words;
  if (VERSION_FLAGS.includes(first)) {
    process.stdout.write(`${SERVICE_VERSION}\n`);
    return;
  }
  if (first === 'help' || words.some((word) => HELP_FLAGS.includes(word))) {
    const topic = first === 'help' ? words.slice(1) : words;
    process.stdout.write(helpFor(topic.filter((word) => !word.startsWith('-'))));
    return;
  }
  if (first === 'serve') {
    const role = readRole(words.slice(1));
    const config = readConfig(process.env);
    assertRoleAllowed(role, config);
    // Loaded on demand: no other command needs the HTTP server, which would double their startup time.
    const { serve } = await import('./commands/serve.ts');
    await serve(role, config, unknownSettings(process.env));
    return;
  }
  if (first === 'migrate') {
    await migrateCommand(readConfig(process.env), words.slice(1));
    return;
  }
  const { command, rest } = findCommand(words);
  await administer(readConfig(process.env), command, rest);
}

/** Reports one line for errors that the operator can fix, and the stack trace of any other. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`sluice: ${error.message}\n\n${overview()}`);
    return 2;
  }
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof OperatorError || error instanceof EmbeddedPostgresError;
  process.stderr.write(
    known ? `sluice: ${message}\n` : `sluice: ${error instanceof Error ? error.stack : message}\n`,
  );
  return 1;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
