import { readFlags, USAGE, UsageError } from './flags.ts';
import { startEmulator } from './start-emulator.ts';

/** In one line each: the scanner takes a key with escaped newlines. */
function exports(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.trim().replaceAll('\n', '\\n')}'\n`)
    .join('');
}

async function main(words: string[]): Promise<void> {
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const options = readFlags(words);
  const emulator = await startEmulator(options);
  process.stdout.write(exports(emulator.environment()));
  const listening = emulator.address === emulator.url ? '' : `, listening on ${emulator.address}`;
  process.stderr.write(
    `\n${emulator.organization.name} organization at ${emulator.url}${listening}; Ctrl-C ends it.\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => emulator.stop());
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const wrongUse = error instanceof UsageError;
  process.stderr.write(`emulator: ${message}\n${wrongUse ? `\n${USAGE}` : ''}`);
  process.exitCode = wrongUse ? 2 : 1;
}
