import manifest from '../package.json' with { type: 'json' };
import { runProgram } from './commands/run-program.ts';
import { Screen } from './console/screen.ts';

const INTERRUPTED = 130;

const screen = new Screen(process.stdout, process.stderr);

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

// No await at the top level: the single executable has this as CommonJS.
void runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  screen,
  version: manifest.version,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
