import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { withoutAliases } from './commands/long-aliases.ts';
import { createProgram } from './commands/program.ts';
import { Screen } from './console/screen.ts';
import { ScannerError } from './scanner-error.ts';

const INTERRUPTED = 130;

const screen = new Screen(process.stdout, process.stderr);

/** Of package.json, which stands above this file, bundled or not. */
function ownVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error('package.json has no version');
}

/** One clear line for what the person at the keyboard can mend; the whole story for what they cannot. */
function report(error: unknown): number {
  screen.status('');
  // Commander has printed its own line by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ScannerError) {
    screen.notice(`scanner: ${error.message} [${error.code}]\n`);
    return error.exitCode;
  }
  screen.notice(`scanner: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}

// Who reads the output may stop early, as `| head` does: the scan and its exit code are none the less what they are.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.on('SIGINT', () => {
  screen.status('');
  screen.notice('scanner: stopped; nothing more is written\n');
  process.exit(INTERRUPTED);
});

const surroundings = {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  screen,
  version: ownVersion(),
};
const program = createProgram(surroundings, (exitCode) => {
  process.exitCode = exitCode;
});
try {
  await program.parseAsync(withoutAliases(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}
