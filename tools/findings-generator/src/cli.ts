import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { helpText, parseArguments, UsageError } from './cli-arguments.ts';
import { generateFindings } from './generate.ts';

/**
 * Returns the exit code: 0 on success or if the reader closed the pipe, 1 on a write error, and 2 for invalid
 * arguments.
 */
async function main(args: readonly string[]): Promise<number> {
  const { help, options, output } = parseArguments(args);
  const text = help ? [Buffer.from(helpText())] : generateFindings(options);
  const identities = options.accounts * options.checks * options.resources;
  if (!help && options.records > identities) {
    process.stderr.write(
      `note: ${options.records} records cover only ${identities} distinct findings, so some are repeated\n`,
    );
  }
  const target = output === undefined || help ? process.stdout : createWriteStream(output);
  await pipeline(Readable.from(text), target);
  return 0;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // It is not an error if the reader, such as `head`, closes the pipe early.
  if (codeOf(error) === 'EPIPE') {
    process.exitCode = 0;
  } else {
    process.stderr.write(`findings-generator: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
