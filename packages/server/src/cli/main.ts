import { withServicePool } from './context.ts';
import { runProgram } from './program.ts';

// The reader of the output may close the pipe early, as `| head` does. This does not change the command or its exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
  withPool: withServicePool,
});
