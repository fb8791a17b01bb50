import { parseFlags, USAGE, UsageError } from './flags.ts';
import { startEmulator } from './start-emulator.ts';

async function main(args: string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const options = parseFlags(args);
  const emulator = await startEmulator(options);
  process.stdout.write(formatExports(emulator.environment()));
  const listening = emulator.address === emulator.url ? '' : ` (listening on ${emulator.address})`;
  process.stderr.write(
    `\nServing the organization ${emulator.organization.name} at ${emulator.url}${listening}. Press Ctrl-C to stop.\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => emulator.stop());
}

/** Formats one `export` line per variable. Newlines are escaped; the scanner accepts escaped newlines in keys. */
function formatExports(environment: Record<string, string>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.trim().replaceAll('\n', '\\n')}'\n`)
    .join('');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsageError = error instanceof UsageError;
  process.stderr.write(`emulator: ${message}\n${isUsageError ? `\n${USAGE}` : ''}`);
  process.exitCode = isUsageError ? 2 : 1;
}
