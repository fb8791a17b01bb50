import { administer } from './commands/administer.ts';
import { ADMIN_COMMANDS, findCommand } from './commands/administration.ts';
import { readRole, UsageError } from './commands/command.ts';
import { MIGRATE_USAGE, migrateCommand } from './commands/migrate.ts';
import { readConfig } from './config.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres-error.ts';
import { OperatorError } from './operator-error.ts';
import { assertMayServe } from './role.ts';

const USAGE = `Usage:
  sluice serve [--role api|worker|all]
  sluice ${MIGRATE_USAGE}
${Object.values(ADMIN_COMMANDS)
  .map(({ usage }) => `  sluice ${usage}`)
  .join('\n')}

serve --role says what the process does; any number of each, over one PostgreSQL and one blob store, are one service:
  api     answers requests and stores uploads; leaves the work on them to others
  worker  works on what was uploaded, removes deleted providers and what nobody needs; listens on SLUICE_OPERATIONS_PORT or nowhere
  all     both in one process; the default, and the only one for the embedded PostgreSQL: api and worker need DATABASE_URL

Every command but serve takes --json and then prints one JSON value.
Settings are read from the environment; the README lists them.
`;

async function main(words: readonly string[]): Promise<void> {
  const [first] = words;
  if (first === 'help' || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  if (first === 'serve') {
    const role = readRole(words.slice(1));
    const config = readConfig(process.env);
    assertMayServe(role, config);
    // Loaded here: no other command needs the HTTP server, and it takes half of their start.
    const { serve } = await import('./commands/serve.ts');
    await serve(role, config);
    return;
  }
  if (first === 'migrate') {
    await migrateCommand(readConfig(process.env), words.slice(1));
    return;
  }
  const { command, rest } = findCommand(words);
  await administer(readConfig(process.env), command, rest);
}

/** One clear line for what the person at the keyboard can mend; the whole story for what they cannot. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`sluice: ${error.message}\n\n${USAGE}`);
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
