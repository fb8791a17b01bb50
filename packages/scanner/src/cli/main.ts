import manifest from '../../package.json' with { type: 'json' };
import { Screen } from '../terminal/screen.ts';
import { runProgram } from './program.ts';

const INTERRUPTED = 130;

const screen = new Screen(process.stdout, process.stderr);

// The reader of the output may close the pipe early, as `| head` does. This does not change the scan or its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.on('SIGINT', () => {
  screen.status('');
  screen.notice('scanner: interrupted; no more output is written\n');
  process.exit(INTERRUPTED);
});

// No top-level await: the single executable contains this module as CommonJS.
void runProgram(process.argv.slice(2), {
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  screen,
  version: manifest.version,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
