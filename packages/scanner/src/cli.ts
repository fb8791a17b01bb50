import { readFileSync } from 'node:fs';
import { runProgram } from './commands/run-program.ts';
import { Screen } from './console/screen.ts';

const INTERRUPTED = 130;

const screen = new Screen(process.stdout, process.stderr);

/** Of package.json, which stands above this file, bundled or not. */
function ownVersion(): string {
  const content: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error('package.json has no version');
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

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  screen,
  version: ownVersion(),
});
